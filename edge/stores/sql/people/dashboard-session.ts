// Stores the sessions of the dashboard. An ended session is deleted.

import type { DashboardSession, DashboardSessions, SignedIn } from '../../../domain/people/dashboard-session.ts'
import type { Role } from '../../../domain/people/person.ts'
import type { Sql } from '../sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from '../write.ts'

interface Row {
  id: number
  person_id: number
  user_agent: string
  created_at: number
  last_used_at: number
  expires_at: number
}

interface SignedInRow extends Row {
  email: string
  name: string
  organisation_id: number | null
  organisation_name: string
  onboarded_at: number | null
  role: Role
}

export const dashboardSessionWrites = {
  async createDashboardSession(
    context: WriteContext,
    session: DashboardSession,
    tokenHash: string,
    passwordHash: string,
  ): Promise<boolean> {
    // The lock makes a change of the password wait, which then ends this session.
    const person = `SELECT id FROM person WHERE id = ? AND password_hash = ?${context.sql.forUpdate}`
    if ((await context.sql.one(person, [session.personId, passwordHash])) === undefined) return false
    const { id, personId, userAgent, createdAt, lastUsedAt, expiresAt } = session
    await context.sql.run(
      `INSERT INTO dashboard_session (id, person_id, token_hash, user_agent, created_at, last_used_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [id, personId, tokenHash, userAgent, createdAt, lastUsedAt, expiresAt],
    )
    await raiseIdFloor(context, id)
    return true
  },
  async endDashboardSession({ sql }: WriteContext, personId: number, id: number): Promise<boolean> {
    return (await sql.run('DELETE FROM dashboard_session WHERE person_id = ? AND id = ?', [personId, id])) > 0
  },
  async touchDashboardSession({ sql }: WriteContext, id: number, now: number): Promise<void> {
    await sql.run('UPDATE dashboard_session SET last_used_at = ? WHERE id = ? AND last_used_at < ?', [now, id, now])
  },
  async purgeDashboardSessions({ sql }: WriteContext, now: number): Promise<void> {
    await sql.run('DELETE FROM dashboard_session WHERE expires_at <= ?', [now])
    await sql.run('DELETE FROM invitation WHERE expires_at <= ?', [now])
    await sql.run('DELETE FROM password_reset WHERE expires_at <= ?', [now])
  },
}

const FIND = `SELECT s.id, s.person_id, s.user_agent, s.created_at, s.last_used_at, s.expires_at, p.email, p.name,
    m.organisation_id, m.role, o.name AS organisation_name, o.onboarded_at
  FROM dashboard_session s JOIN person p ON p.id = s.person_id
    LEFT JOIN membership m ON m.person_id = p.id LEFT JOIN organisation o ON o.id = m.organisation_id
  WHERE s.token_hash = ? AND s.expires_at > ? ORDER BY m.organisation_id`

export function createDashboardSessions(sql: Sql, writes: Writes<typeof dashboardSessionWrites>): DashboardSessions {
  return {
    create: writes.createDashboardSession,
    end: writes.endDashboardSession,
    touch: writes.touchDashboardSession,
    purgeExpired: writes.purgeDashboardSessions,
    find: async (tokenHash, now) => toSignedIn(await sql.all<SignedInRow>(FIND, [tokenHash, now])),
    async list(personId, now) {
      const rows = await sql.all<Row>(
        `SELECT id, person_id, user_agent, created_at, last_used_at, expires_at FROM dashboard_session
          WHERE person_id = ? AND expires_at > ? ORDER BY id DESC`,
        [personId, now],
      )
      return rows.map(toSession)
    },
  }
}

function toSession(row: Row): DashboardSession {
  return {
    id: row.id,
    personId: row.person_id,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  }
}

/** Each row has one membership, or none when the person has none. */
function toSignedIn(rows: SignedInRow[]): SignedIn | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const memberships = rows.flatMap(({ organisation_id: id, organisation_name: name, role, onboarded_at: at }) =>
    id === null ? [] : [{ organisationId: id, organisationName: name, role, isOnboarded: at !== null }],
  )
  return {
    session: toSession(first),
    person: { id: first.person_id, email: first.email, name: first.name },
    memberships,
  }
}
