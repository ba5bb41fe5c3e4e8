// Stores invitations and password resets. A link is used up in the transaction of what it allows.

import type { Role } from '../../../../contract/role.ts'
import type { AuditEntry } from '../../../domain/audit.ts'
import type {
  Acceptance,
  Invitation,
  InvitationMail,
  OneTimeLinks,
  PasswordReset,
} from '../../../domain/people/one-time-link.ts'
import type { Account } from '../../../domain/people/person.ts'
import { recordAudit } from '../audit.ts'
import type { Sql } from '../sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from '../write.ts'
import { removeAllPasskeys } from './passkey.ts'
import { insertMembership, insertPerson, replacePassword } from './person.ts'

interface InvitationRow {
  id: number
  organisation_id: number
  email: string
  role: Role
  created_at: number
  expires_at: number
  mail_state: InvitationMail['state'] | null
  mail_at: number | null
  mail_error: string | null
  invited_by: string | null
}
const COLUMNS = 'id, organisation_id, email, role, created_at, expires_at, mail_state, mail_at, mail_error, invited_by'

export const oneTimeLinkWrites = {
  async createInvitation(
    context: WriteContext,
    invitation: Invitation,
    tokenHash: string,
    audit: AuditEntry,
  ): Promise<void> {
    const { id, organisationId, email, role, invitedBy, createdAt, expiresAt, mail } = invitation
    await context.sql.run(
      `INSERT INTO invitation (${COLUMNS}, token_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (organisation_id, email) DO UPDATE SET id = excluded.id, role = excluded.role,
          created_at = excluded.created_at, expires_at = excluded.expires_at, token_hash = excluded.token_hash,
          mail_state = excluded.mail_state, mail_at = excluded.mail_at, mail_error = excluded.mail_error,
          invited_by = excluded.invited_by`,
      [
        ...[id, organisationId, email, role, createdAt, expiresAt],
        ...[mail?.state ?? null, mail?.at ?? null, mail?.error ?? null, invitedBy],
        tokenHash,
      ],
    )
    await raiseIdFloor(context, id)
    await recordAudit(context, audit)
  },
  async revokeInvitation(
    context: WriteContext,
    organisationId: number,
    id: number,
    audit: AuditEntry,
  ): Promise<boolean> {
    const text = 'DELETE FROM invitation WHERE organisation_id = ? AND id = ?'
    const isRevoked = (await context.sql.run(text, [organisationId, id])) > 0
    if (isRevoked) await recordAudit(context, audit)
    return isRevoked
  },
  async acceptInvitation(
    context: WriteContext,
    tokenHash: string,
    { account, isNew, now }: { account: Account; isNew: boolean; now: number },
    audit: AuditEntry,
  ): Promise<Acceptance> {
    const { sql } = context
    const text = `SELECT ${COLUMNS} FROM invitation WHERE token_hash = ? AND expires_at > ? AND email = ?${sql.forUpdate}`
    const invitation = await sql.one<InvitationRow>(text, [tokenHash, now, account.email])
    if (invitation === undefined) return 'missing'
    const isAsRead = isNew
      ? await insertPerson(context, account)
      : (await sql.one('SELECT id FROM person WHERE id = ? AND password_hash = ?', [
          account.id,
          account.passwordHash,
        ])) !== undefined
    if (!isAsRead) return 'account-changed'
    await sql.run('DELETE FROM invitation WHERE id = ?', [invitation.id])
    const membership = { email: account.email, role: invitation.role, at: now }
    await insertMembership(context, invitation.organisation_id, membership)
    await recordAudit(context, audit)
    return 'accepted'
  },
  async recordInvitationMail({ sql }: WriteContext, id: number, { state, at, error }: InvitationMail): Promise<void> {
    const text = 'UPDATE invitation SET mail_state = ?, mail_at = ?, mail_error = ? WHERE id = ?'
    await sql.run(text, [state, at, error, id])
  },
  async createReset(
    { sql }: WriteContext,
    reset: PasswordReset,
    tokenHash: string,
    keptAfter: number = Number.MAX_SAFE_INTEGER,
  ): Promise<boolean> {
    // One of the future is of a clock that was set back.
    const written = await sql.run(
      `INSERT INTO password_reset (person_id, token_hash, created_at, expires_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (person_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at,
          expires_at = excluded.expires_at
        WHERE password_reset.created_at <= ? OR password_reset.created_at > excluded.created_at`,
      [reset.personId, tokenHash, reset.createdAt, reset.expiresAt, keptAfter],
    )
    return written > 0
  },
  async applyReset(
    context: WriteContext,
    tokenHash: string,
    { passwordHash, removePasskeys, now }: { passwordHash: string; removePasskeys: boolean; now: number },
    audit: AuditEntry,
  ): Promise<{ passkeysRemoved: number } | undefined> {
    const used = await context.sql.one<{ person_id: number }>(
      'DELETE FROM password_reset WHERE token_hash = ? AND expires_at > ? RETURNING person_id',
      [tokenHash, now],
    )
    if (used === undefined) return undefined
    // First, because it locks the person: a passkey that is being added is then removed, or finds no session.
    await replacePassword(context, used.person_id, passwordHash, null)
    await recordAudit(context, audit)
    return { passkeysRemoved: removePasskeys ? await removeAllPasskeys(context, used.person_id, audit) : 0 }
  },
}

export function createOneTimeLinks(sql: Sql, writes: Writes<typeof oneTimeLinkWrites>): OneTimeLinks {
  return {
    invite: writes.createInvitation,
    revokeInvitation: writes.revokeInvitation,
    acceptInvitation: writes.acceptInvitation,
    recordMail: writes.recordInvitationMail,
    createReset: writes.createReset,
    applyReset: writes.applyReset,
    async findInvitation(tokenHash, now) {
      const text = `SELECT ${COLUMNS} FROM invitation WHERE token_hash = ? AND expires_at > ?`
      const row = await sql.one<InvitationRow>(text, [tokenHash, now])
      return row && toInvitation(row)
    },
    async listInvitations(organisationId, now, before, limit) {
      const text = `SELECT ${COLUMNS} FROM invitation WHERE organisation_id = ? AND expires_at > ? AND id < ? ORDER BY id DESC LIMIT ?`
      const params = [organisationId, now, before ?? Number.MAX_SAFE_INTEGER, limit]
      return (await sql.all<InvitationRow>(text, params)).map(toInvitation)
    },
    async findReset(tokenHash, now) {
      const row = await sql.one<{ person_id: number; email: string; created_at: number; expires_at: number }>(
        `SELECT r.person_id, p.email, r.created_at, r.expires_at FROM password_reset r JOIN person p ON p.id = r.person_id
          WHERE r.token_hash = ? AND r.expires_at > ?`,
        [tokenHash, now],
      )
      if (row === undefined) return undefined
      const { person_id: personId, email, created_at: createdAt, expires_at: expiresAt } = row
      return { personId, email, createdAt, expiresAt }
    },
  }
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    organisationId: row.organisation_id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    mail: row.mail_state === null ? null : { state: row.mail_state, at: row.mail_at ?? 0, error: row.mail_error },
  }
}
