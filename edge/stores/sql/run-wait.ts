// Stores the waits of runs: claimed under a lease when due, parked while their campaign is paused.

import type { Json } from '../../../contract/json.ts'
import type { RunContext, RunWaits, WaitClaim } from '../../domain/run/run-wait.ts'
import { withLazyJson } from '../../lib/lazy-json.ts'
import { CAMPAIGN } from '../tables/campaign.ts'
import { ENVIRONMENT } from '../tables/environment.ts'
import { RUN } from '../tables/run.ts'
import { type RawRow, view } from '../tables/table.ts'
import { TRACKED_EVENT } from '../tables/tracked-event.ts'
import { claimWaits, readWait, WAIT_VIEW } from './claims/claim-waits.ts'
import { dueInMs, isDue, nextDueAt } from './claims/due.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const RUN_VIEW = view(RUN, 'r', [
  'id',
  'environmentId',
  'campaignId',
  'version',
  'eventId',
  'userId',
  'isTest',
  'correlationId',
  'trace',
])
const EVENT_VIEW = view(TRACKED_EVENT, 'e', ['name', 'occurredAt'])
const IS_CLAIMED =
  'run_wait.environment_id = given.environment_id AND run_wait.run_id = given.run_id AND run_wait.fence = given.fence'
const RELEASE = withRows(
  { environment_id: 'int', run_id: 'int', fence: 'int', due_at: 'int', error: 'text' },
  `UPDATE run_wait SET due_at = given.due_at, error = COALESCE(given.error, run_wait.error),
    attempts = run_wait.attempts - CASE WHEN given.error IS NULL THEN 1 ELSE 0 END, fence = run_wait.fence + 1
    FROM given WHERE ${IS_CLAIMED}`,
)
const PARK = withRows(
  { environment_id: 'int', run_id: 'int', fence: 'int', now: 'int' },
  `UPDATE run_wait SET due_at = CASE WHEN EXISTS (SELECT 1 FROM campaign c WHERE c.environment_id = run_wait.environment_id AND c.id = run_wait.campaign_id
      AND c.status = 'paused')
      THEN NULL ELSE given.now END, attempts = 0, parked = 1, fence = run_wait.fence + 1
    FROM given WHERE ${IS_CLAIMED}`,
)
const FIND_RUNS = withRows(
  { environment_id: 'int', run_id: 'int' },
  `SELECT ${RUN_VIEW.columns}, ${EVENT_VIEW.columns}, e.properties FROM given CROSS JOIN run r CROSS JOIN tracked_event e
    WHERE r.environment_id = given.environment_id AND r.id = given.run_id
      AND e.environment_id = r.environment_id AND e.id = r.event_id`,
)

/** Bytes that a wait of a list loads: its state, the trace of its run, and the event that began it. */
const WEIGHT = '(octet_length(w.course) + COALESCE(octet_length(r.trace), 0) + COALESCE(octet_length(e.properties), 0))'
/** Of the waits of one page; one that weighs more is a page alone. */
const LISTED_BYTES = 1024 * 1024

const CAMPAIGN_VIEW = view(CAMPAIGN, 'c', ['id', 'environmentId', 'key', 'status', 'drains', 'resumedAt'])
const ENVIRONMENT_VIEW = view(ENVIRONMENT, 'e', ['name', 'isProduction', 'appSchemes'])
const FIND_HOMES = withRows(
  { id: 'int', environment_id: 'int' },
  `SELECT ${CAMPAIGN_VIEW.columns}, ${ENVIRONMENT_VIEW.columns} FROM given
    CROSS JOIN campaign c CROSS JOIN environment e WHERE c.id = given.id AND c.environment_id = given.environment_id AND e.id = c.environment_id`,
)

export const runWaitWrites = {
  claimWaits,
  async releaseWaits(context: WriteContext, claims: WaitClaim[], dueAt: number, error: string | null): Promise<void> {
    await context.sql.bulk(
      RELEASE,
      sorted(claims).map(({ environmentId, runId, fence }) => [environmentId, runId, fence, dueAt, error]),
    )
  },
  async parkWaits(context: WriteContext, claims: WaitClaim[], now: number): Promise<void> {
    const { sql } = context
    // Locks the campaigns: a concurrent resume finds the waits parked, or this write finds the campaign resumed.
    if (sql.forUpdate !== '') {
      await sql.bulk(
        LOCK_CAMPAIGNS,
        claims.map(({ environmentId, runId }) => [environmentId, runId]),
      )
    }
    await sql.bulk(
      PARK,
      sorted(claims).map(({ environmentId, runId, fence }) => [environmentId, runId, fence, now]),
    )
  },
  async makeWaitsDue(
    context: WriteContext,
    campaignId: number,
    scope: 'parked' | 'all',
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
    const condition = scope === 'parked' ? 'due_at IS NULL' : '(due_at IS NULL OR due_at > ?)'
    await context.sql.run(
      `UPDATE run_wait SET due_at = ? WHERE campaign_id = ? AND run_id > ? AND run_id <= ? AND attempts = 0 AND given_up_at IS NULL AND ${condition}`,
      scope === 'parked' ? [dueAt, campaignId, after, last.run_id] : [dueAt, campaignId, after, last.run_id, dueAt],
    )
    return rows.length < limit ? null : last.run_id
  },
}

const LOCK_CAMPAIGNS = withRows(
  { environment_id: 'int', run_id: 'int' },
  `SELECT c.id FROM campaign c WHERE (c.environment_id, c.id) IN (SELECT w.environment_id, w.campaign_id FROM given
    JOIN run_wait w ON w.environment_id = given.environment_id AND w.run_id = given.run_id) ORDER BY c.id FOR UPDATE`,
)

export function createRunWaits(
  sql: Sql,
  writes: Writes<typeof runWaitWrites>,
  readNow?: WriteContext['readNow'],
): RunWaits {
  const readShared = readNow && (() => readNow(sql))
  /** The environment of this node's last turn. */
  let lastTurn = 0
  return {
    async claim(now, leaseMs, limit) {
      // Read first, so that nothing is written while nothing is due.
      if (!(await isDue(await nextDueAt(sql, 'run_wait'), now, readShared))) return []
      const { waits, after } = await writes.claimWaits(now, leaseMs, limit, lastTurn)
      lastTurn = after
      return waits
    },
    release: writes.releaseWaits,
    park: writes.parkWaits,
    makeDue: writes.makeWaitsDue,
    nextDueInMs: async (now) => dueInMs(await nextDueAt(sql, 'run_wait'), now, readShared),
    async findRuns(keys) {
      const rows = await sql.bulk<RawRow>(
        FIND_RUNS,
        keys.map(({ environmentId, runId }) => [environmentId, runId]),
      )
      const runs = rows.map((row) => ({
        ...RUN_VIEW.read(row),
        event: withLazyJson<{ name: string; occurredAt: number }, 'properties', Record<string, Json>>(
          EVENT_VIEW.read(row),
          'properties',
          String(row.properties),
        ),
        eventChars: String(row.properties).length,
      }))
      return new Map(runs.map((run) => [run.id, run]))
    },
    async findContexts(runs) {
      const homes = new Map(runs.map(({ campaignId, environmentId }) => [campaignId, environmentId]))
      const rows = homes.size === 0 ? [] : await sql.bulk<RawRow>(FIND_HOMES, [...homes])
      return new Map(rows.map(readHome).map((home) => [home.campaign.id, home]))
    },
    async listOfUser(environmentId, campaignId, userId, after, limit) {
      const rows = await sql.all<RawRow>(
        `SELECT * FROM (SELECT ${WAIT_VIEW.columns}, SUM(${WEIGHT}) OVER (ORDER BY w.run_id) - ${WEIGHT} AS bytes_before
          FROM app_user u CROSS JOIN run_wait w LEFT JOIN run r ON r.environment_id = w.environment_id AND r.id = w.run_id
          LEFT JOIN tracked_event e ON e.environment_id = r.environment_id AND e.id = r.event_id
          WHERE u.environment_id = ? AND u.user_id = ? AND w.user_no = u.user_no
          AND w.run_id > ? AND w.campaign_id = ? AND w.given_up_at IS NULL ORDER BY w.run_id LIMIT ?) AS sized WHERE bytes_before < ${LISTED_BYTES}`,
        [environmentId, userId, after, campaignId, limit],
      )
      return rows.map((row) => readWait(row, 0))
    },
  }
}

/** Sorts claims, so that two nodes lock rows in one order and cannot deadlock. */
function sorted(claims: WaitClaim[]): WaitClaim[] {
  return [...claims].sort((a, b) => a.runId - b.runId)
}

function readHome(row: RawRow): RunContext {
  const campaign = CAMPAIGN_VIEW.read(row)
  const { appSchemes, ...environment } = ENVIRONMENT_VIEW.read(row)
  return { campaign, environment: { id: campaign.environmentId, ...environment, appSchemes: appSchemes ?? [] } }
}
