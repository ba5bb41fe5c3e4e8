// Jobs: claimed under a lease, with a fence that every claim raises; environments take turns (house section 3). A completed job is gone.

import type { Job, JobClaim, Jobs } from '../../domain/job.ts'
import { dueInMs, isDue, nextDueAt, turnParams, unionOf, walkTurns } from './claims/due.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

interface Row {
  id: number
  environment_id: number
  kind: string
  payload: string
  run_at: number
  created_at: number
  attempts: number
  fence: number
}

interface Due {
  id: number
  environment_id: number
}
interface Claiming {
  now: number
  leaseMs: number
  limit: number
  kinds: readonly string[]
}

/** Up to so many due jobs of each kind, oldest first. */
const oldestOf = (kinds: readonly string[], lock: string) =>
  unionOf(
    kinds.map(
      () =>
        `SELECT id, environment_id, due_at FROM job WHERE kind = ? AND due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?${lock}`,
    ),
  )

/** The oldest due job of `t.environment_id` among these kinds. */
const oldestInTurn = (kinds: readonly string[]) => {
  const parts = kinds.map(
    () => `SELECT j.id, j.due_at FROM job j WHERE j.environment_id = t.environment_id AND j.kind = ? AND j.due_at IS NOT NULL AND j.due_at <= ?
      ORDER BY j.due_at, j.id LIMIT 1`,
  )
  return `SELECT id FROM (${unionOf(parts)}) AS oldest ORDER BY due_at, id LIMIT 1`
}

export const jobWrites = {
  /** `after`: the environment that had its turn last; answered for the next claim. */
  async claimJobs(
    context: WriteContext,
    { now, leaseMs, limit, kinds }: Claiming,
    after: number,
  ): Promise<{ jobs: Job[]; after: number }> {
    const { sql } = context
    const at = (await context.readNow?.(sql)) ?? now
    const oldest = await sql.all<Due>(`${oldestOf(kinds, sql.skipLocked)} ORDER BY due_at, id LIMIT ?`, [
      ...kinds.flatMap((kind) => [kind, at, limit + 1]),
      limit + 1,
    ])
    // All that is due has room: nobody waits for a turn.
    if (oldest.length <= limit) return { jobs: await takeJobs(sql, oldest, at, leaseMs), after }
    const ofKinds = kinds.flatMap((kind) => [kind, at])
    const first = await sql.all<Due>(walkTurns('job', oldestInTurn(kinds)), turnParams(after, ofKinds, limit))
    const turned = new Set(first.map(({ id }) => id))
    const picked = [...first, ...oldest.filter(({ id }) => !turned.has(id))].slice(0, limit)
    const jobs = await takeJobs(sql, picked, at, leaseMs)
    // Another node may have taken all of them meanwhile; the oldest are locked for this one.
    if (jobs.length === 0) return { jobs: await takeJobs(sql, oldest.slice(0, limit), at, leaseMs), after }
    return { jobs, after: first.at(-1)?.environment_id ?? after }
  },
  async completeJob(context: WriteContext, claim: JobClaim): Promise<void> {
    await context.sql.run('DELETE FROM job WHERE id = ? AND fence = ?', [claim.id, claim.fence])
  },
  async failJob(context: WriteContext, claim: JobClaim, error: string, runAt: number | null): Promise<void> {
    await context.sql.run(
      'UPDATE job SET error = ?, due_at = ?, run_at = COALESCE(?, run_at), fence = fence + 1 WHERE id = ? AND fence = ?',
      [error, runAt, runAt, claim.id, claim.fence],
    )
  },
}

/** In the order in which they were picked. */
async function takeJobs(sql: Sql, picked: Due[], at: number, leaseMs: number): Promise<Job[]> {
  if (picked.length === 0) return []
  const places = new Map(picked.map(({ id }, place) => [id, place]))
  const rows = await sql.all<Row>(
    `UPDATE job SET due_at = ?, attempts = attempts + 1, fence = fence + 1
      WHERE id IN (SELECT id FROM job WHERE id IN (${picked.map(() => '?').join(', ')}) AND due_at <= ?${sql.skipLocked})
      RETURNING id, environment_id, kind, payload, run_at, created_at, attempts, fence`,
    [at + leaseMs, ...places.keys(), at],
  )
  return rows.map(toJob).sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
}

export function createJobs(sql: Sql, writes: Writes<typeof jobWrites>, readNow?: WriteContext['readNow']): Jobs {
  const readShared = readNow && (() => readNow(sql))
  /** Of this node's claims: the environment that had its turn last. */
  let turnOf = 0
  return {
    async claim(now, leaseMs, limit, kinds) {
      // Asked first, so that an idle worker writes nothing.
      if (!(await isDue(await nextOfKinds(sql, kinds), now, readShared))) return []
      const { jobs, after } = await writes.claimJobs({ now, leaseMs, limit, kinds }, turnOf)
      turnOf = after
      return jobs
    },
    complete: writes.completeJob,
    fail: writes.failJob,
    async nextDueInMs(now, kinds) {
      const next = kinds === undefined ? await nextDueAt(sql, 'job') : await nextOfKinds(sql, kinds)
      return dueInMs(next, now, readShared)
    },
    async countDead() {
      const text = 'SELECT COUNT(*) AS dead FROM (SELECT id FROM job WHERE due_at IS NULL LIMIT 1000) AS found'
      return Number((await sql.one<{ dead: number }>(text))?.dead ?? 0)
    },
  }
}

async function nextOfKinds(sql: Sql, kinds: readonly string[]): Promise<number | null> {
  if (kinds.length === 0) return null
  const parts = kinds.map(
    () => 'SELECT due_at FROM job WHERE kind = ? AND due_at IS NOT NULL ORDER BY due_at, id LIMIT 1',
  )
  const row = await sql.one<{ due_at: number }>(`${unionOf(parts)} ORDER BY due_at LIMIT 1`, [...kinds])
  return row?.due_at ?? null
}

function toJob(row: Row): Job {
  return {
    id: row.id,
    environmentId: row.environment_id,
    kind: row.kind,
    payload: row.payload,
    runAt: row.run_at,
    createdAt: row.created_at,
    attempts: row.attempts,
    fence: row.fence,
  }
}
