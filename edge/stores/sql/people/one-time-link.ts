// Stores invitations and password resets. A link is used up in the transaction of what it allows.

import type { Role } from '../../../../contract/role.ts'
import type { AuditEntry } from '../../../domain/audit.ts'
import type {
  Acceptance,
  Invitation,
  InvitationMail,
  OneTimeLinks,
  PasswordReset,
  Revoked,
} from '../../../domain/people/one-time-link.ts'
import type { Account } from '../../../domain/people/person.ts'
import { INVITATION, INVITATION_FIELDS, PASSWORD_RESET, PERSON } from '../../tables/people.ts'
import { insertOne, namesOf, type RawRow, setExcluded, view } from '../../tables/table.ts'
import { recordAudit } from '../audit.ts'
import type { Sql } from '../sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from '../write.ts'
import { removeAllPasskeys } from './passkey.ts'
import { insertMembership, insertPerson, replacePassword } from './person.ts'

const VIEW = view(INVITATION, '', INVITATION_FIELDS)
const REPLACED = namesOf(INVITATION.columns).filter((field) => field !== 'organisationId' && field !== 'email')
const INVITE = insertOne(
  INVITATION,
  undefined,
  `ON CONFLICT (organisation_id, email) DO UPDATE SET ${setExcluded(INVITATION, REPLACED)}`,
)
const RESET = view(PASSWORD_RESET, 'r', ['personId', 'createdAt', 'expiresAt'])
const RESET_PERSON = view(PERSON, 'p', ['email'])

export const oneTimeLinkWrites = {
  async createInvitation(
    context: WriteContext,
    invitation: Invitation,
    tokenHash: string,
    takes: readonly Role[],
    audit: AuditEntry,
  ): Promise<boolean> {
    const { mail, ...own } = invitation
    const { organisationId, email, createdAt } = own
    const open = 'SELECT role FROM invitation WHERE organisation_id = ? AND email = ? AND expires_at > ?'
    const former = await context.sql.one<{ role: Role }>(open + context.sql.forUpdate, [
      organisationId,
      email,
      createdAt,
    ])
    if (former !== undefined && !takes.includes(former.role)) return false
    const mailed = { mailState: mail?.state ?? null, mailAt: mail?.at ?? null, mailError: mail?.error ?? null }
    await INVITE(context.sql, { ...own, ...mailed, tokenHash })
    await raiseIdFloor(context, own.id)
    await recordAudit(context, audit)
    return true
  },
  async revokeInvitation(
    context: WriteContext,
    organisationId: number,
    id: number,
    takes: readonly Role[],
    audit: AuditEntry,
  ): Promise<Revoked> {
    const { sql } = context
    const text = `SELECT role FROM invitation WHERE organisation_id = ? AND id = ?${sql.forUpdate}`
    const row = await sql.one<{ role: Role }>(text, [organisationId, id])
    if (row === undefined) return 'missing'
    if (!takes.includes(row.role)) return 'not-allowed'
    await sql.run('DELETE FROM invitation WHERE organisation_id = ? AND id = ?', [organisationId, id])
    await recordAudit(context, audit)
    return 'revoked'
  },
  async acceptInvitation(
    context: WriteContext,
    tokenHash: string,
    { account, isNew, now }: { account: Account; isNew: boolean; now: number },
    audit: AuditEntry,
  ): Promise<Acceptance> {
    const { sql } = context
    const text = `SELECT ${VIEW.columns} FROM invitation WHERE token_hash = ? AND expires_at > ? AND email = ?${sql.forUpdate}`
    const row = await sql.one<RawRow>(text, [tokenHash, now, account.email])
    if (row === undefined) return 'missing'
    const invitation = VIEW.read(row)
    const isAsRead = isNew
      ? await insertPerson(context, account)
      : (await sql.one('SELECT id FROM person WHERE id = ? AND password_hash = ?', [
          account.id,
          account.passwordHash,
        ])) !== undefined
    if (!isAsRead) return 'account-changed'
    await sql.run('DELETE FROM invitation WHERE id = ?', [invitation.id])
    const membership = { email: account.email, role: invitation.role, at: now }
    await insertMembership(context, invitation.organisationId, membership)
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
      const text = `SELECT ${VIEW.columns} FROM invitation WHERE token_hash = ? AND expires_at > ?`
      const row = await sql.one<RawRow>(text, [tokenHash, now])
      return row && readInvitation(row)
    },
    async listInvitations(organisationId, now, before, limit) {
      const text = `SELECT ${VIEW.columns} FROM invitation WHERE organisation_id = ? AND expires_at > ? AND id < ? ORDER BY id DESC LIMIT ?`
      const params = [organisationId, now, before ?? Number.MAX_SAFE_INTEGER, limit]
      return (await sql.all<RawRow>(text, params)).map(readInvitation)
    },
    async findReset(tokenHash, now) {
      const row = await sql.one<RawRow>(
        `SELECT ${RESET.columns}, ${RESET_PERSON.columns} FROM password_reset r JOIN person p ON p.id = r.person_id
          WHERE r.token_hash = ? AND r.expires_at > ?`,
        [tokenHash, now],
      )
      return row && { ...RESET.read(row), ...RESET_PERSON.read(row) }
    },
  }
}

function readInvitation(row: RawRow): Invitation {
  const { mailState: state, mailAt: at, mailError: error, ...own } = VIEW.read(row)
  return { ...own, mail: state === null ? null : { state, at: at ?? 0, error } }
}
