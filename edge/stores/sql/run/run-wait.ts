// Waits of runs: claimed under a lease when they are due, laid aside while their campaign is paused (contract section 6).

import type { CampaignStatus } from '../../../domain/campaign.ts'
import type { Json } from '../../../domain/json.ts'
import type { RunHome, RunWaits, WaitClaim, WaitingRun } from '../../../domain/run/run-wait.ts'
import type { TraceStep } from '../../../domain/tracked-event.ts'
import { claimWaits, toWait, type WaitRow } from '../claims/claim-waits.ts'
import { dueInMs, isDue, nextDueAt } from '../claims/due.ts'
import { type Sql, withRows } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'

interface RunRow {
  id: number
  environment_id: number
  campaign_id: number
  version: number
  event_id: number
  user_id: string
  is_test: number
  correlation_id: string
  trace: string
  name: string
  properties: string
  occurred_at: number
}

const WAIT_COLUMNS =
  'w.run_id, w.environment_id, w.campaign_id, w.wait_no, w.step_id, w.timer_at, w.awaits, w.course, w.attempts, w.fence, w.parked'
const RELEASE = withRows(
  { run_id: 'int', fence: 'int', due_at: 'int', error: 'text' },
  `UPDATE run_wait SET due_at = given.due_at, error = COALESCE(given.error, run_wait.error),
    attempts = run_wait.attempts - CASE WHEN given.error IS NULL THEN 1 ELSE 0 END, fence = run_wait.fence + 1
    FROM given WHERE run_wait.run_id = given.run_id AND run_wait.fence = given.fence`,
)
const PARK = withRows(
  { run_id: 'int', fence: 'int', now: 'int' },
  `UPDATE run_wait SET due_at = CASE WHEN EXISTS (SELECT 1 FROM campaign c WHERE c.id = run_wait.campaign_id AND c.status = 'paused')
      THEN NULL ELSE given.now END, attempts = 0, parked = 1, fence = run_wait.fence + 1
    FROM given WHERE run_wait.run_id = given.run_id AND run_wait.fence = given.fence`,
)
const FIND_RUNS = withRows(
  { id: 'int' },
  `SELECT r.id, r.environment_id, r.campaign_id, r.version, r.event_id, r.user_id, r.is_test, r.correlation_id, r.trace,
    e.name, e.properties, e.occurred_at FROM given CROSS JOIN run r CROSS JOIN tracked_event e WHERE r.id = given.id AND e.id = r.event_id`,
)

interface HomeRow {
  id: number
  environment_id: number
  campaign_key: string
  status: CampaignStatus
  drains: number
  name: string
  is_production: number
}
const FIND_HOMES = withRows(
  { id: 'int', environment_id: 'int' },
  `SELECT c.id, c.environment_id, c.campaign_key, c.status, c.drains, e.name, e.is_production FROM given
    CROSS JOIN campaign c CROSS JOIN environment e WHERE c.id = given.id AND c.environment_id = given.environment_id AND e.id = c.environment_id`,
)

export const runWaitWrites = {
  claimWaits,
  async releaseWaits(context: WriteContext, claims: WaitClaim[], dueAt: number, error: string | null): Promise<void> {
    await context.sql.bulk(
      RELEASE,
      sorted(claims).map(({ runId, fence }) => [runId, fence, dueAt, error]),
    )
  },
  async parkWaits(context: WriteContext, claims: WaitClaim[], now: number): Promise<void> {
    const { sql } = context
    // Held, so that a resumption that comes now finds them parked, or they find it resumed.
    if (sql.forUpdate !== '') {
      await sql.bulk(
        HOLD_CAMPAIGNS,
        claims.map(({ runId }) => [runId]),
      )
    }
    await sql.bulk(
      PARK,
      sorted(claims).map(({ runId, fence }) => [runId, fence, now]),
    )
  },
  async rouseWaits(
    context: WriteContext,
    campaignId: number,
    which: 'parked' | 'all',
    after: number,
    limit: number,
    dueAt: number,
  ): Promise<number | null> {
    const rows = await context.sql.all<{ run_id: number }>(
      `SELECT run_id FROM run_wait WHERE campaign_id = ? AND run_id > ? ORDER BY run_id LIMIT ?${context.sql.forUpdate}`,
      [campaignId, after, limit],
    )
    const last = rows.at(-1)
    if (last === undefined) return null
    const idle = which === 'parked' ? 'due_at IS NULL' : '(due_at IS NULL OR due_at > ?)'
    await context.sql.run(
      `UPDATE run_wait SET due_at = ? WHERE campaign_id = ? AND run_id > ? AND run_id <= ? AND attempts = 0 AND ${idle}`,
      which === 'parked' ? [dueAt, campaignId, after, last.run_id] : [dueAt, campaignId, after, last.run_id, dueAt],
    )
    return rows.length < limit ? null : last.run_id
  },
}

const HOLD_CAMPAIGNS = withRows(
  { run_id: 'int' },
  `SELECT c.id FROM campaign c WHERE c.id IN (SELECT w.campaign_id FROM given JOIN run_wait w ON w.run_id = given.run_id) ORDER BY c.id FOR UPDATE`,
)

export function createRunWaits(
  sql: Sql,
  writes: Writes<typeof runWaitWrites>,
  readNow?: WriteContext['readNow'],
): RunWaits {
  const readShared = readNow && (() => readNow(sql))
  /** Of this node's claims: the environment that had its turn last. */
  let turnOf = 0
  return {
    async claim(now, leaseMs, limit) {
      // Asked first, so that nothing is written while nothing is due.
      if (!(await isDue(await nextDueAt(sql, 'run_wait'), now, readShared))) return []
      const { waits, after } = await writes.claimWaits(now, leaseMs, limit, turnOf)
      turnOf = after
      return waits
    },
    release: writes.releaseWaits,
    park: writes.parkWaits,
    rouse: writes.rouseWaits,
    nextDueInMs: async (now) => dueInMs(await nextDueAt(sql, 'run_wait'), now, readShared),
    async findRuns(runIds) {
      const rows = await sql.bulk<RunRow>(
        FIND_RUNS,
        runIds.map((id) => [id]),
      )
      return new Map(rows.map((row) => [row.id, toRun(row)]))
    },
    async findHomes(runs) {
      const homes = new Map(runs.map(({ campaignId, environmentId }) => [campaignId, environmentId]))
      const rows = homes.size === 0 ? [] : await sql.bulk<HomeRow>(FIND_HOMES, [...homes])
      return new Map(rows.map((row) => [row.id, toHome(row)]))
    },
    async listOfUser(environmentId, campaignId, userId, after, limit) {
      const rows = await sql.all<WaitRow>(
        `SELECT ${WAIT_COLUMNS} FROM app_user u CROSS JOIN run_wait w WHERE u.environment_id = ? AND u.user_id = ? AND w.user_no = u.user_no
          AND w.run_id > ? AND w.campaign_id = ? ORDER BY w.run_id LIMIT ?`,
        [environmentId, userId, after, campaignId, limit],
      )
      return rows.map((row) => toWait(row))
    },
  }
}

/** All take their rows in one order, so that two nodes never wait for each other in a circle. */
function sorted(claims: WaitClaim[]): WaitClaim[] {
  return [...claims].sort((a, b) => a.runId - b.runId)
}

function toHome(row: HomeRow): RunHome {
  const { id, environment_id: environmentId, campaign_key: key, status } = row
  return {
    campaign: { id, environmentId, key, status, drains: row.drains === 1 },
    environment: { id: environmentId, name: row.name, isProduction: row.is_production === 1 },
  }
}

function toRun(row: RunRow): WaitingRun {
  return {
    id: row.id,
    environmentId: row.environment_id,
    campaignId: row.campaign_id,
    version: row.version,
    eventId: row.event_id,
    userId: row.user_id,
    isTest: row.is_test === 1,
    correlationId: row.correlation_id,
    trace: JSON.parse(row.trace) as TraceStep[],
    event: {
      name: row.name,
      properties: JSON.parse(row.properties) as Record<string, Json>,
      occurredAt: row.occurred_at,
    },
  }
}
