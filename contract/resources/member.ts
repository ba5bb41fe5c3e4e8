// Describes the members of an organisation, and the invitations by which people become members.

import { z } from 'zod'
import { ROLES } from '../role.ts'
import { pageOf } from '../schemas.ts'
import { newEmail } from './person.ts'

export const role = z.enum(ROLES)

export const roleChange = z.object({ role }).meta({ id: 'RoleChange' })

export const member = z
  .object({ id: z.string(), email: z.string(), name: z.string(), role, createdAt: z.iso.datetime() })
  .meta({ id: 'Member' })
export const memberPage = pageOf(member).meta({ id: 'MemberPage' })

export const newInvitation = z.object({ email: newEmail, role }).meta({ id: 'NewInvitation' })

export const invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role,
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
  .meta({ id: 'Invitation' })
/** `sendsMail`: whether the server has a mail server. */
export const invitationPage = pageOf(invitation).extend({ sendsMail: z.boolean() }).meta({ id: 'InvitationPage' })
export const createdInvitation = invitation.extend({ linkInLog: z.boolean() }).meta({ id: 'CreatedInvitation' })

/** What the person with its link reads before a password is asked for. */
export const invitationLook = z
  .object({
    organisation: z.string(),
    email: z.string(),
    role,
    invitedBy: z.string().nullable().meta({ description: 'Null: an operator, on the command line.' }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'InvitationLook' })

export type MemberAnswer = z.output<typeof member>
export type NewInvitation = z.output<typeof newInvitation>
export type InvitationAnswer = z.output<typeof invitation>
export type InvitationPage = z.output<typeof invitationPage>
export type CreatedInvitation = z.output<typeof createdInvitation>
/** As the operator of the machine gets it, who alone reads the link. */
export type PrintedInvitation = CreatedInvitation & { link: string }
export type InvitationLook = z.output<typeof invitationLook>
