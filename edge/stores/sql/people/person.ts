// Stores people and their roles. Changes of roles lock the organisation, so that it always keeps an owner.

import { includesRole, ROLES, type Role } from '../../../../contract/role.ts'
import type { AuditEntry } from '../../../domain/audit.ts'
import type { Account, Member, MemberChange, People } from '../../../domain/people/person.ts'
import { MEMBERSHIP, PERSON } from '../../tables/people.ts'
import { insertOne, namesOf, type RawRow, view } from '../../tables/table.ts'
import { recordAudit } from '../audit.ts'
import { lockOwner } from '../revision.ts'
import type { Sql } from '../sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from '../write.ts'

const ACCOUNT = view(PERSON, '', namesOf(PERSON.columns))
const INSERT_PERSON = insertOne(PERSON, undefined, 'ON CONFLICT (email) DO NOTHING')
const INSERT_MEMBERSHIP = insertOne(MEMBERSHIP)

/** Inserts a person unless the e-mail address is known. @returns Whether it was inserted. */
export async function insertPerson(context: WriteContext, account: Account): Promise<boolean> {
  const inserted = await INSERT_PERSON(context.sql, account)
  if (inserted > 0) await raiseIdFloor(context, account.id)
  return inserted > 0
}

/** Gives a role to the person of an e-mail address; a member keeps the role. */
export async function insertMembership(
  { sql }: WriteContext,
  organisationId: number,
  { email, role, at }: { email: string; role: Role; at: number },
): Promise<void> {
  await sql.run(
    `INSERT INTO membership (organisation_id, person_id, role, created_at)
      SELECT CAST(? AS BIGINT), id, CAST(? AS TEXT), CAST(? AS BIGINT) FROM person WHERE email = ?
      ON CONFLICT (organisation_id, person_id) DO NOTHING`,
    [organisationId, role, at, email],
  )
}

/** Makes a person the owner of a new organisation. */
export async function insertOwner(
  { sql }: WriteContext,
  organisationId: number,
  personId: number,
  at: number,
): Promise<void> {
  await INSERT_MEMBERSHIP(sql, { organisationId, personId, role: 'owner', createdAt: at })
}

/** Sets the password, and ends sessions and resets of the person. */
export async function replacePassword(
  { sql }: WriteContext,
  personId: number,
  passwordHash: string,
  keptSessionId: number | null,
): Promise<void> {
  await sql.run('UPDATE person SET password_hash = ? WHERE id = ?', [passwordHash, personId])
  await sql.run('DELETE FROM dashboard_session WHERE person_id = ? AND id <> ?', [personId, keptSessionId ?? -1])
  await sql.run('DELETE FROM password_reset WHERE person_id = ?', [personId])
}

/** Whether the organisation has another owner than this person. */
async function hasOtherOwner({ sql }: WriteContext, organisationId: number, personId: number): Promise<boolean> {
  const text = `SELECT person_id FROM membership WHERE organisation_id = ? AND role = 'owner' AND person_id <> ? LIMIT 1`
  return (await sql.one(text, [organisationId, personId])) !== undefined
}

/** Locks the organisation. @returns The reason against a change of this member's role; undefined without one. */
async function findObstacle(
  context: WriteContext,
  organisationId: number,
  personId: number,
  former: Role,
): Promise<MemberChange | undefined> {
  await lockOwner(context, 'organisation', organisationId)
  const text = 'SELECT role FROM membership WHERE organisation_id = ? AND person_id = ?'
  const row = await context.sql.one<{ role: Role }>(text, [organisationId, personId])
  if (row?.role !== former) return 'missing'
  if (former === 'owner' && !(await hasOtherOwner(context, organisationId, personId))) return 'last-owner'
}

/** Revokes the open invitations of a person that the role may not give. @returns The audit entry with their number, if any */
async function revokeInvitations(
  { sql }: WriteContext,
  [organisationId, personId]: [organisationId: number, personId: number],
  role: Role | null,
  audit: AuditEntry,
): Promise<AuditEntry> {
  const mayGive = (given: Role) => role !== null && includesRole(role, 'admin') && includesRole(role, given)
  const lost = ROLES.filter((given) => !mayGive(given))
  if (lost.length === 0) return audit
  const revoked = await sql.run(
    `DELETE FROM invitation WHERE organisation_id = ? AND invited_by = (SELECT email FROM person WHERE id = ?)
      AND role IN (${lost.map(() => '?').join(', ')})`,
    [organisationId, personId, ...lost],
  )
  return revoked === 0 ? audit : { ...audit, detail: { ...audit.detail, invitationsRevoked: revoked } }
}

export const peopleWrites = {
  async addMember(
    context: WriteContext,
    organisationId: number,
    account: Account,
    role: Role,
    audit?: AuditEntry,
  ): Promise<void> {
    await insertPerson(context, account)
    await insertMembership(context, organisationId, { email: account.email, role, at: account.createdAt })
    if (audit !== undefined) await recordAudit(context, audit)
  },
  async changeRole(
    context: WriteContext,
    organisationId: number,
    personId: number,
    { former, role }: { former: Role; role: Role },
    audit: AuditEntry,
  ): Promise<MemberChange> {
    const obstacle = await findObstacle(context, organisationId, personId, former)
    if (obstacle !== undefined && !(obstacle === 'last-owner' && role === 'owner')) return obstacle
    const text = 'UPDATE membership SET role = ? WHERE organisation_id = ? AND person_id = ?'
    await context.sql.run(text, [role, organisationId, personId])
    await recordAudit(context, await revokeInvitations(context, [organisationId, personId], role, audit))
    return 'changed'
  },
  async removeMember(
    context: WriteContext,
    organisationId: number,
    personId: number,
    former: Role,
    audit: AuditEntry,
  ): Promise<MemberChange> {
    const obstacle = await findObstacle(context, organisationId, personId, former)
    if (obstacle !== undefined) return obstacle
    const text = 'DELETE FROM membership WHERE organisation_id = ? AND person_id = ?'
    await context.sql.run(text, [organisationId, personId])
    // Other sessions miss this organisation from their next call on. Of somebody without any organisation they end too.
    await context.sql.run(
      `DELETE FROM dashboard_session WHERE person_id = ?
        AND (organisation_id = ? OR NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = dashboard_session.person_id))`,
      [personId, organisationId],
    )
    const link = 'DELETE FROM linked_identity WHERE organisation_id = ? AND person_id = ?'
    await context.sql.run(link, [organisationId, personId])
    await recordAudit(context, await revokeInvitations(context, [organisationId, personId], null, audit))
    return 'changed'
  },
  async changePassword(
    context: WriteContext,
    personId: number,
    { former, passwordHash, keptSessionId }: { former: string; passwordHash: string; keptSessionId: number | null },
    audit: AuditEntry,
  ): Promise<boolean> {
    const text = `SELECT id FROM person WHERE id = ? AND password_hash = ?${context.sql.forUpdate}`
    if ((await context.sql.one(text, [personId, former])) === undefined) return false
    await replacePassword(context, personId, passwordHash, keptSessionId)
    await recordAudit(context, audit)
    return true
  },
}

const PERSON_VIEW = view(PERSON, 'p', ['id', 'email', 'name'])
const ROLE_VIEW = view(MEMBERSHIP, 'm', ['role', 'createdAt'])
const MEMBERS = `SELECT ${PERSON_VIEW.columns}, ${ROLE_VIEW.columns} FROM membership m JOIN person p ON p.id = m.person_id
  WHERE m.organisation_id = ?`

export function createPeople(sql: Sql, writes: Writes<typeof peopleWrites>): People {
  return {
    addMember: writes.addMember,
    changeRole: writes.changeRole,
    removeMember: writes.removeMember,
    changePassword: writes.changePassword,
    async findAccount(email) {
      const row = await sql.one<RawRow>(`SELECT ${ACCOUNT.columns} FROM person WHERE email = ?`, [email])
      return row && ACCOUNT.read(row)
    },
    async listMembers(organisationId, before, limit) {
      const text = `${MEMBERS} AND m.person_id < ? ORDER BY m.person_id DESC LIMIT ?`
      const rows = await sql.all<RawRow>(text, [organisationId, before ?? Number.MAX_SAFE_INTEGER, limit])
      return rows.map(readMember)
    },
    async listByRole(organisationId, roles, limit) {
      const text = `${MEMBERS} AND m.role IN (${roles.map(() => '?').join(', ')}) ORDER BY m.person_id LIMIT ?`
      return (await sql.all<RawRow>(text, [organisationId, ...roles, limit])).map(readMember)
    },
    async findMember(organisationId, personId) {
      const row = await sql.one<RawRow>(`${MEMBERS} AND m.person_id = ?`, [organisationId, personId])
      return row && readMember(row)
    },
    async findFirstOrganisation(personId) {
      const text =
        'SELECT organisation_id FROM membership WHERE person_id = ? ORDER BY created_at, organisation_id LIMIT 1'
      return (await sql.one<{ organisation_id: number }>(text, [personId]))?.organisation_id
    },
  }
}

const readMember = (row: RawRow): Member => ({ ...PERSON_VIEW.read(row), ...ROLE_VIEW.read(row) })
