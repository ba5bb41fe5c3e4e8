// Stores the sessions of the dashboard. An ended session is deleted.

import type { AuditEntry } from '../../../domain/audit.ts'
import type {
  DashboardSession,
  DashboardSessions,
  SessionProof,
  SessionResult,
  SignedIn,
} from '../../../domain/people/dashboard-session.ts'
import { ENROLMENT_MS } from '../../../domain/people/second-factor.ts'
import { ORGANISATION } from '../../tables/organisation.ts'
import { DASHBOARD_SESSION, MEMBERSHIP, PERSON, SESSION_FIELDS } from '../../tables/people.ts'
import { insertOne, type RawRow, view } from '../../tables/table.ts'
import { recordAudit } from '../audit.ts'
import type { Sql } from '../sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from '../write.ts'
import { hasFactor, lockPerson, useFactor } from './second-factor.ts'

const VIEW = view(DASHBOARD_SESSION, 's', SESSION_FIELDS)
const PERSON_VIEW = view(PERSON, 'p', ['email', 'name'])
/** Null when the person has no membership. */
const MEMBERSHIP_VIEW = view(MEMBERSHIP, 'm', ['role'], { memberOf: 'organisationId' })
const ORGANISATION_VIEW = view(ORGANISATION, 'o', ['onboardedAt'], { organisationName: 'name' })
const INSERT = insertOne(DASHBOARD_SESSION)

/** Inserts a session whose proof was confirmed in the same transaction. */
export async function insertSession(
  context: WriteContext,
  session: DashboardSession,
  tokenHash: string,
): Promise<void> {
  await INSERT(context.sql, { ...session, tokenHash })
  await raiseIdFloor(context, session.id)
}

/** @returns Undefined when all of the proof holds; its code and its challenge are used up then. */
async function findDoubt(
  context: WriteContext,
  personId: number,
  proof: SessionProof,
): Promise<SessionResult | undefined> {
  const { sql } = context
  if (proof.by === 'passkey') {
    const { passkeyId, formerCounter, counter } = proof
    const used = await sql.run(
      'UPDATE passkey SET counter = ?, last_used_at = ? WHERE id = ? AND person_id = ? AND counter = ?',
      [counter, context.now, passkeyId, personId, formerCounter],
    )
    return used > 0 ? undefined : 'changed'
  }
  // The lock makes a change of the password or the second factor wait, which then ends this session.
  if (!(await lockPerson(context, personId, proof.passwordHash))) return 'changed'
  if (proof.factor === null) return (await hasFactor(context, personId)) ? 'factor-missing' : undefined
  if (!(await useFactor(context, personId, proof.factor))) return 'code-used'
  if (proof.challengeHash === null) return undefined
  const ended = await sql.run('DELETE FROM sign_in_challenge WHERE token_hash = ?', [proof.challengeHash])
  return ended > 0 ? undefined : 'challenge-ended'
}

export const dashboardSessionWrites = {
  async createDashboardSession(
    context: WriteContext,
    session: DashboardSession,
    tokenHash: string,
    proof: SessionProof,
    audit?: AuditEntry,
  ): Promise<SessionResult> {
    const doubt = await findDoubt(context, session.personId, proof)
    if (doubt !== undefined) return doubt
    await insertSession(context, session, tokenHash)
    if (audit !== undefined) await recordAudit(context, audit)
    return 'created'
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
    await sql.run('DELETE FROM sign_in_challenge WHERE expires_at <= ?', [now])
    await sql.run('DELETE FROM totp WHERE confirmed_at IS NULL AND created_at <= ?', [now - ENROLMENT_MS])
  },
}

const FIND = `SELECT ${[VIEW, PERSON_VIEW, MEMBERSHIP_VIEW, ORGANISATION_VIEW].map(({ columns }) => columns).join(', ')}
  FROM dashboard_session s JOIN person p ON p.id = s.person_id
    LEFT JOIN membership m ON m.person_id = p.id
      AND (s.organisation_id IS NULL OR m.organisation_id = s.organisation_id)
    LEFT JOIN organisation o ON o.id = m.organisation_id
  WHERE s.token_hash = ? AND s.expires_at > ? ORDER BY m.organisation_id`

export function createDashboardSessions(sql: Sql, writes: Writes<typeof dashboardSessionWrites>): DashboardSessions {
  return {
    create: writes.createDashboardSession,
    end: writes.endDashboardSession,
    touch: writes.touchDashboardSession,
    purgeExpired: writes.purgeDashboardSessions,
    find: async (tokenHash, now) => readSignedIn(await sql.all<RawRow>(FIND, [tokenHash, now])),
    async list(personId, now) {
      const rows = await sql.all<RawRow>(
        `SELECT ${VIEW.columns} FROM dashboard_session s WHERE s.person_id = ? AND s.expires_at > ? ORDER BY s.id DESC`,
        [personId, now],
      )
      return rows.map(VIEW.read)
    },
  }
}

/** Each row has one membership, or none when the person has none. */
function readSignedIn(rows: RawRow[]): SignedIn | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const memberships = rows.flatMap((row) => {
    if (row.memberOf === null) return []
    const { memberOf: organisationId, role } = MEMBERSHIP_VIEW.read(row)
    const { organisationName, onboardedAt } = ORGANISATION_VIEW.read(row)
    return [{ organisationId, organisationName, role, isOnboarded: onboardedAt !== null }]
  })
  const session = VIEW.read(first)
  return { session, person: { id: session.personId, ...PERSON_VIEW.read(first) }, memberships }
}
