// Waits of runs: claimed under a lease when they are due, laid aside while their campaign is paused (contract section 6).

import type { Json } from '../../../domain/json.ts'
import type { ClaimedWait, RunWaits, StoredCourse, WaitClaim, WaitingRun } from '../../../domain/run/run-wait.ts'
import type { TraceStep } from '../../../domain/tracked-event.ts'
import { type Sql, withRows } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'

interface WaitRow {
  run_id: number
  environment_id: number
  campaign_id: number
  wait_no: number
  step_id: string
  timer_at: number
  awaits: string | null
  course: string
  attempts: number
  fence: number
  parked: number
}
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

export const runWaitWrites = {
  async claimWaits(context: WriteContext, now: number, leaseMs: number, limit: number): Promise<ClaimedWait[]> {
    const { sql } = context
    const at = (await context.readNow?.(sql)) ?? now
    const rows = await sql.all<WaitRow>(
      `UPDATE run_wait SET due_at = ?, attempts = attempts + 1, fence = fence + 1
        WHERE run_id IN (SELECT run_id FROM run_wait WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, run_id LIMIT ?${sql.skipLocked})
        RETURNING run_id, environment_id, campaign_id, wait_no, step_id, timer_at, awaits, course, attempts, fence, parked`,
      [at + leaseMs, at, limit],
    )
    return rows.map(toWait).sort((a, b) => a.dueAt - b.dueAt || a.runId - b.runId)
  },
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
    now: number,
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
      which === 'parked' ? [now, campaignId, after, last.run_id] : [now, campaignId, after, last.run_id, now],
    )
    return rows.length < limit ? null : last.run_id
  },
}

const HOLD_CAMPAIGNS = withRows(
  { run_id: 'int' },
  `SELECT c.id FROM campaign c WHERE c.id IN (SELECT w.campaign_id FROM given JOIN run_wait w ON w.run_id = given.run_id) ORDER BY c.id FOR UPDATE`,
)

export function createRunWaits(sql: Sql, writes: Writes<typeof runWaitWrites>): RunWaits {
  return {
    async claim(now, leaseMs, limit) {
      // Asked first, so that nothing is written while nothing is due.
      const next = await nextDueAt(sql)
      return next === null || next > now ? [] : writes.claimWaits(now, leaseMs, limit)
    },
    release: writes.releaseWaits,
    park: writes.parkWaits,
    rouse: writes.rouseWaits,
    nextDueAt: () => nextDueAt(sql),
    async findRuns(runIds) {
      const rows = await sql.bulk<RunRow>(
        FIND_RUNS,
        runIds.map((id) => [id]),
      )
      return new Map(rows.map((row) => [row.id, toRun(row)]))
    },
    async listOfUser(environmentId, campaignId, userId, after, limit) {
      const rows = await sql.all<WaitRow>(
        `SELECT ${WAIT_COLUMNS} FROM app_user u CROSS JOIN run_wait w WHERE u.environment_id = ? AND u.user_id = ? AND w.user_no = u.user_no
          AND w.run_id > ? AND w.campaign_id = ? ORDER BY w.run_id LIMIT ?`,
        [environmentId, userId, after, campaignId, limit],
      )
      return rows.map(toWait)
    },
  }
}

async function nextDueAt(sql: Sql): Promise<number | null> {
  const text = 'SELECT due_at FROM run_wait WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1'
  return (await sql.one<{ due_at: number }>(text))?.due_at ?? null
}

/** All take their rows in one order, so that two nodes never wait for each other in a circle. */
function sorted(claims: WaitClaim[]): WaitClaim[] {
  return [...claims].sort((a, b) => a.runId - b.runId)
}

function toWait(row: WaitRow): ClaimedWait {
  return {
    runId: row.run_id,
    environmentId: row.environment_id,
    campaignId: row.campaign_id,
    number: row.wait_no,
    stepId: row.step_id,
    dueAt: row.timer_at,
    awaits: row.awaits,
    course: JSON.parse(row.course) as StoredCourse,
    attempts: row.attempts,
    fence: row.fence,
    wasParked: row.parked === 1,
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
