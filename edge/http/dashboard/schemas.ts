// Declares the bodies and answers of the dashboard's own routes.

import { z } from '@hono/zod-openapi'
import { ROLES } from '../../../contract/role.ts'
import type { DashboardSession, SignedIn } from '../../domain/people/dashboard-session.ts'
import type { Invitation } from '../../domain/people/one-time-link.ts'
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../domain/people/parse-person.ts'
import type { Member } from '../../domain/people/person.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

/** An address that somebody types to be found; any text is allowed. */
export const emailField = z.string().min(1).max(320)
/** An address that is stored; the flow checks it. */
export const newEmailField = emailField.openapi({ format: 'email' })
/** A password that somebody types to be verified. */
export const passwordField = z
  .string()
  .min(1)
  .max(MAX_PASSWORD_CHARS * 2)
/** A password that is stored; the flow counts its characters. */
export const newPasswordField = passwordField.openapi({ minLength: MIN_PASSWORD_CHARS, maxLength: MAX_PASSWORD_CHARS })
export const tokenField = z.string().min(1).max(200)
/** A one-time code or a recovery code, with spaces or hyphens as typed. */
export const codeField = z.string().min(1).max(40)
export const roleField = z.enum(ROLES)

export const sessionSchema = z
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
  .openapi('DashboardSession')

export const meSchema = z
  .object({
    person: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    organisations: z.array(
      z.object({ id: z.string(), name: z.string(), role: roleField, onboardingCompleted: z.boolean() }),
    ),
    session: sessionSchema,
  })
  .openapi('DashboardPerson')

export const memberSchema = z
  .object({ id: z.string(), email: z.string(), name: z.string(), role: roleField, createdAt: z.iso.datetime() })
  .openapi('Member')

export const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    role: roleField,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** Null where the server had no mail server. */
    mail: z
      .object({
        state: z.enum(['sending', 'sent', 'failed', 'unknown']),
        at: z.iso.datetime(),
        error: z.string().nullable(),
      })
      .nullable(),
  })
  .openapi('Invitation')

export function toSession(session: DashboardSession, currentId: number) {
  const { id, userAgent, createdAt, lastUsedAt, expiresAt, organisationId } = session
  return {
    id: formatId('dashboardSession', id),
    isCurrent: id === currentId,
    userAgent,
    createdAt: toIso(createdAt),
    lastUsedAt: toIso(lastUsedAt),
    expiresAt: toIso(expiresAt),
    organisationId: organisationId === null ? null : formatId('organisation', organisationId),
  }
}

export function toMe({ person, memberships, session }: SignedIn) {
  return {
    person: { id: formatId('person', person.id), email: person.email, name: person.name },
    organisations: memberships.map(({ organisationId, organisationName: name, role, isOnboarded }) => ({
      id: formatId('organisation', organisationId),
      name,
      role,
      onboardingCompleted: isOnboarded,
    })),
    session: toSession(session, session.id),
  }
}

export function toMember({ id, email, name, role, createdAt }: Member) {
  return { id: formatId('person', id), email, name, role, createdAt: toIso(createdAt) }
}

export function toInvitation({ id, email, role, createdAt, expiresAt, mail }: Invitation) {
  return {
    id: formatId('invitation', id),
    email,
    role,
    createdAt: toIso(createdAt),
    expiresAt: toIso(expiresAt),
    mail: mail && { ...mail, at: toIso(mail.at) },
  }
}
