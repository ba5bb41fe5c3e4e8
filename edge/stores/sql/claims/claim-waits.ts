// Claims due waits under a lease, oldest first, with environments in turn.

import type { ClaimedWait } from '../../../domain/run/run-wait.ts'
import { RUN_WAIT } from '../../tables/run.ts'
import { type RawRow, view } from '../../tables/table.ts'
import type { Param, Sql } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { queryTurns, turnParams, unionOf } from './due.ts'

const WAIT_FIELDS = [
  'runId',
  'environmentId',
  'campaignId',
  'number',
  'stepId',
  'dueAt',
  'awaits',
  'runState',
  'attempts',
  'fence',
  'wasParked',
] as const
const CLAIMED_VIEW = view(RUN_WAIT, '', WAIT_FIELDS)
/** The same fields, with the table alias `w`. */
export const WAIT_VIEW = view(RUN_WAIT, 'w', WAIT_FIELDS)

/** The number of environments that share a claim when more waits are due than the limit. */
const MAX_ENVIRONMENTS = 8

interface Claiming {
  /** Waits due at or before this time (epoch ms). */
  at: number
  leaseMs: number
  limit: number
}

/** Claims due waits. `after` is the environment of the last turn; the result contains it for the next claim. */
export async function claimWaits(
  context: WriteContext,
  now: number,
  leaseMs: number,
  limit: number,
  after: number,
): Promise<{ waits: ClaimedWait[]; after: number }> {
  const at = (await context.readNow?.(context.sql)) ?? now
  const claimed = await claimInTurn(context.sql, { at, leaseMs, limit }, after)
  return { ...claimed, waits: claimed.waits.sort((a, b) => a.dueAt - b.dueAt || a.runId - b.runId) }
}

/**
 * Claims all due waits when they are within the limit. Otherwise the next environments in turn get equal shares, and
 * the oldest waits get the rest. So an environment with a million due waits does not delay others.
 */
async function claimInTurn(
  sql: Sql,
  claiming: Claiming,
  after: number,
): Promise<{ waits: ClaimedWait[]; after: number }> {
  const { at, limit } = claiming
  const due = await sql.one<{ count: number }>(
    'SELECT COUNT(*) AS count FROM (SELECT run_id FROM run_wait WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, run_id LIMIT ?) AS due',
    [at, limit + 1],
  )
  const turns = Number(due?.count) > limit ? await listTurns(sql, at, after) : []
  if (turns.length < 2) return { waits: await takeOldest(sql, claiming), after: turns[0] ?? after }
  const share = Math.floor(limit / turns.length)
  const oldest =
    'SELECT run_id FROM run_wait WHERE environment_id = ? AND due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, run_id LIMIT ?'
  const chosen = unionOf(turns.map(() => oldest + sql.skipLocked))
  const params = turns.flatMap((environmentId) => [environmentId, at, share])
  const waits = await takeWaits(sql, claiming, chosen, params)
  const left = limit - waits.length
  const rest = left === 0 ? [] : await takeOldest(sql, { ...claiming, limit: left })
  return { waits: [...waits, ...rest], after: turns.at(-1) ?? after }
}

/** Returns the next environments that have due waits. */
async function listTurns(sql: Sql, at: number, after: number): Promise<number[]> {
  const found =
    'SELECT w.run_id FROM run_wait w WHERE w.environment_id = t.environment_id AND w.due_at IS NOT NULL AND w.due_at <= ? ORDER BY w.due_at, w.run_id LIMIT 1'
  const rows = await sql.all<{ environment_id: number }>(
    queryTurns('run_wait', found),
    turnParams(after, [at], MAX_ENVIRONMENTS),
  )
  return rows.map((row) => row.environment_id)
}

function takeOldest(sql: Sql, claiming: Claiming): Promise<ClaimedWait[]> {
  const oldest = `SELECT run_id FROM run_wait WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, run_id LIMIT ?${sql.skipLocked}`
  return takeWaits(sql, claiming, oldest, [claiming.at, claiming.limit])
}

/**
 * Locks and updates the chosen waits. MATERIALIZED is needed: else a query plan may run the subquery again per row, and
 * exceed the limit.
 */
async function takeWaits(sql: Sql, { at, leaseMs }: Claiming, chosen: string, params: Param[]): Promise<ClaimedWait[]> {
  const rows = await sql.all<RawRow>(
    `WITH chosen AS MATERIALIZED (${chosen})
      UPDATE run_wait SET due_at = ?, attempts = attempts + 1, fence = fence + 1 WHERE run_id IN (SELECT run_id FROM chosen)
      RETURNING ${CLAIMED_VIEW.columns}`,
    [...params, at + leaseMs],
  )
  return rows.map((row) => ({ ...CLAIMED_VIEW.read(row), claimedAt: at }))
}
