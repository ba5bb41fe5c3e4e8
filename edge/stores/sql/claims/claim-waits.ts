// Claims waits that are due: under a lease, in the order of their time, environments in turns (contract section 6, decision 0168).

import type { ClaimedWait, StoredCourse } from '../../../domain/run/run-wait.ts'
import type { Param, Sql } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { turnParams, unionOf, walkTurns } from './due.ts'

export interface WaitRow {
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
/** Environments that share a claim while more is due than it may take. */
const SHARING = 8

interface Claiming {
  /** What is due by then. */
  at: number
  leaseMs: number
  limit: number
}

/** `after`: the environment that had its turn last; answered for the next claim. */
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
 * When all that is due has room, it is taken. Else the next environments in turn have equal shares, each its oldest first; what
 * they leave goes to the oldest of all. So one that has a million due holds no other's.
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

/** The next environments that have due waits. */
async function listTurns(sql: Sql, at: number, after: number): Promise<number[]> {
  const found =
    'SELECT w.run_id FROM run_wait w WHERE w.environment_id = t.environment_id AND w.due_at IS NOT NULL AND w.due_at <= ? ORDER BY w.due_at, w.run_id LIMIT 1'
  const rows = await sql.all<{ environment_id: number }>(walkTurns('run_wait', found), turnParams(after, [at], SHARING))
  return rows.map((row) => row.environment_id)
}

function takeOldest(sql: Sql, claiming: Claiming): Promise<ClaimedWait[]> {
  const oldest = `SELECT run_id FROM run_wait WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, run_id LIMIT ?${sql.skipLocked}`
  return takeWaits(sql, claiming, oldest, [claiming.at, claiming.limit])
}

/** Chosen once: a plan may ask a choice within the condition again for each row, and what is locked by then it passes over, beyond the limit. */
async function takeWaits(sql: Sql, { at, leaseMs }: Claiming, chosen: string, params: Param[]): Promise<ClaimedWait[]> {
  const rows = await sql.all<WaitRow>(
    `WITH chosen AS MATERIALIZED (${chosen})
      UPDATE run_wait SET due_at = ?, attempts = attempts + 1, fence = fence + 1 WHERE run_id IN (SELECT run_id FROM chosen)
      RETURNING run_id, environment_id, campaign_id, wait_no, step_id, timer_at, awaits, course, attempts, fence, parked`,
    [...params, at + leaseMs],
  )
  return rows.map((row) => toWait(row, at))
}

export function toWait(row: WaitRow, claimedAt = 0): ClaimedWait {
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
    claimedAt,
  }
}
