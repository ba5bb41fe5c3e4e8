// Describes a sign-in to the dashboard, the person who is signed in, and what the own account has.

import { z } from 'zod'
import { pageOf } from '../schemas.ts'
import { nameField } from './fields.ts'
import { role } from './member.ts'
import { newEmail, newPassword, PASSWORD_LENGTH } from './person.ts'

/** A password that somebody types to be verified. */
export const passwordField = z
  .string()
  .min(1)
  .max(PASSWORD_LENGTH.maxLength * 2)
export const tokenField = z.string().min(1).max(200)
/** A one-time code or a recovery code, with spaces or hyphens as typed. */
export const codeField = z.string().min(1).max(40)

export const dashboardSession = z
  .object({
    id: z.string(),
    isCurrent: z.boolean(),
    userAgent: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** The only organisation that a session of single sign-on reaches. */
    organisationId: z.string().nullable(),
  })
  .meta({ id: 'DashboardSession' })
export const dashboardSessionPage = pageOf(dashboardSession).meta({ id: 'DashboardSessionPage' })

const ownOrganisation = z.object({ id: z.string(), name: z.string(), role, onboardingCompleted: z.boolean() })

/** The person who is signed in. */
export const me = z
  .object({
    person: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    organisations: z.array(ownOrganisation),
    session: dashboardSession,
  })
  .meta({ id: 'DashboardPerson' })

/** The password was right, and a code is wanted. */
export const secondFactorNeeded = z
  .object({ secondFactor: z.object({ expiresAt: z.iso.datetime() }) })
  .meta({ id: 'SecondFactorNeeded' })
export const signInAnswer = z.union([me, secondFactorNeeded]).meta({ id: 'DashboardSignInAnswer' })

export const setUp = z
  .object({
    email: newEmail,
    name: nameField,
    password: newPassword,
    organisationName: nameField,
    code: tokenField.optional(),
  })
  .meta({ id: 'DashboardSetUp' })
export const setUpState = z.object({ open: z.boolean(), needsCode: z.boolean() }).meta({ id: 'DashboardSetUpState' })

export const secondFactor = z
  .object({
    totp: z.object({ isOn: z.boolean(), since: z.iso.datetime().nullable() }),
    recoveryCodesLeft: z.number().int(),
  })
  .meta({ id: 'SecondFactor' })
/** Password and code, for changes of the second factor. */
export const factorProof = z.object({ password: passwordField, code: codeField }).meta({ id: 'SecondFactorProof' })
/** The secret of one-time codes, which is in this answer alone; `url` is an `otpauth://` address. */
export const newTotp = z
  .object({ secret: z.string(), url: z.string(), expiresAt: z.iso.datetime() })
  .meta({ id: 'TotpSecret' })
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' })

export const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Passkey' })
export const passkeyPage = pageOf(passkey).meta({ id: 'PasskeyPage' })

export type DashboardSessionAnswer = z.output<typeof dashboardSession>
export type Me = z.output<typeof me>
export type OwnOrganisation = z.output<typeof ownOrganisation>
export type SecondFactorNeeded = z.output<typeof secondFactorNeeded>
export type SignInAnswer = z.output<typeof signInAnswer>
export type SetUpInput = z.input<typeof setUp>
export type SetUpState = z.output<typeof setUpState>
export type SecondFactorAnswer = z.output<typeof secondFactor>
export type FactorProof = z.output<typeof factorProof>
export type NewTotpAnswer = z.output<typeof newTotp>
export type RecoveryCodes = z.output<typeof recoveryCodes>
export type PasskeyAnswer = z.output<typeof passkey>
