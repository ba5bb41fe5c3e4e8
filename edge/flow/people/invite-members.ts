// Invites people to an organisation by one-time links.

import type { NewInvitation } from '../../../contract/resources/member.ts'
import { includesRole, ROLES, type Role } from '../../../contract/role.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Invitation, InvitationMail } from '../../domain/people/one-time-link.ts'
import { ApiError } from '../../lib/api-error.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { type IdSource, parseId } from '../../lib/id.ts'
import { newToken } from '../../lib/one-time-token.ts'
import { LONGEST_MS } from '../mail/send-account-mails.ts'
import { changeStored } from '../tenant/change-stored.ts'
import type { MailPeople } from './mail-people.ts'
import { type ActingMember, mayNotGive, requireMayGive } from './manage-members.ts'

/** Seven days. */
const INVITATION_MS = 7 * 24 * 60 * 60 * 1000

export interface Invited {
  invitation: Invitation
  /** It must never be in an answer to anybody but the operator. */
  link: string
  /** Resolves once the mail is sent or given up; null without a mail server. */
  mailed: Promise<InvitationMail> | null
}

const rolesUpTo = (role: Role) => ROLES.filter((one) => includesRole(role, one))

export type InviteMembers = ReturnType<typeof createInviteMembers>

export function createInviteMembers({
  oneTimeLinks,
  ids,
  clock,
  linkOf,
  mail,
}: Pick<Core, 'oneTimeLinks' | 'clock'> & {
  ids: { invitation: IdSource }
  /** @returns The address of the page that accepts the token. */
  linkOf(token: string): string
  /** Null without a mail server. */
  mail: MailPeople['invite'] | null
}) {
  function auditOf(organisationId: number, by: ChangedBy, verb: string, subject: string, detail: AuditEntry['detail']) {
    return { at: clock.now(), ...by, action: `member.${verb}`, environmentId: null, organisationId, subject, detail }
  }

  /** A mail of a process that ended may have been sent. */
  function withKnownMail(invitation: Invitation): Invitation {
    const { mail } = invitation
    if (mail?.state !== 'sending' || mail.at + LONGEST_MS > clock.now()) return invitation
    return { ...invitation, mail: { ...mail, state: 'unknown', error: 'The server stopped before it had an answer.' } }
  }

  return {
    /** Throws `authorization/not-allowed`, also where an invitation with a higher role would be replaced. */
    async invite(organisationId: number, { email, role }: NewInvitation, acting: ActingMember): Promise<Invited> {
      requireMayGive(acting, role)
      const { invitation, link } = await changeStored('invitation', async () => {
        const { token, hash } = newToken('invitation')
        const createdAt = clock.now()
        const times = { createdAt, expiresAt: createdAt + INVITATION_MS }
        const sending = mail && ({ state: 'sending', at: createdAt, error: null } as const)
        const id = ids.invitation.next()
        const invitedBy = acting.by.actor === 'dashboard' ? acting.by.who : null
        const invitation: Invitation = { id, organisationId, email, role, invitedBy, ...times, mail: sending }
        const entry = auditOf(organisationId, acting.by, 'invite', email, { role })
        if (!(await oneTimeLinks.invite(invitation, hash, rolesUpTo(acting.role), entry))) throw mayNotGive()
        return { invitation, link: linkOf(token) }
      })
      return { invitation, link, mailed: mail?.(invitation, link, acting.by) ?? null }
    },

    async list(organisationId: number, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
      const name = { list: 'invitations', of: organisationId }
      const rows = await oneTimeLinks.listInvitations(organisationId, clock.now(), parseCursor(name, cursor), limit + 1)
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return {
        invitations: rows.slice(0, limit).map(withKnownMail),
        nextCursor: last === undefined ? null : encodeCursor(name, last.id),
      }
    },

    /** Throws `request/not-found`, and `authorization/not-allowed` for an invitation with a higher role. */
    async revoke(
      organisationId: number,
      invitationId: string,
      { role, by }: Pick<ActingMember, 'role' | 'by'>,
    ): Promise<{ deleted: true }> {
      const id = parseId('invitation', invitationId)
      const entry = auditOf(organisationId, by, 'revoke-invitation', invitationId, {})
      const revoked =
        id === undefined ? 'missing' : await oneTimeLinks.revokeInvitation(organisationId, id, rolesUpTo(role), entry)
      if (revoked === 'not-allowed') throw mayNotGive()
      if (revoked === 'missing') {
        throw new ApiError('request/not-found', { message: 'There is no such invitation.' })
      }
      return { deleted: true }
    },
  }
}
