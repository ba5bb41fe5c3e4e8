// Jobs: claimed under a lease, with a fence that every claim raises; environments take turns (house section 3). A completed job is gone.

import type { Job, JobClaim, Jobs } from '../../domain/job.ts'
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

/** Environments with jobs, in the order of their turns behind the one that had its turn last, each with its oldest due job. Walks an index from environment to environment, never along one's jobs. */
const IN_TURN = `WITH RECURSIVE turn (environment_id, wrapped, is_start) AS (
    SELECT CAST(? AS BIGINT), 0, 1
    UNION ALL
    SELECT COALESCE((SELECT MIN(j.environment_id) FROM job j WHERE j.due_at IS NOT NULL AND j.environment_id > t.environment_id), -1),
      CASE WHEN EXISTS (SELECT 1 FROM job j WHERE j.due_at IS NOT NULL AND j.environment_id > t.environment_id) THEN t.wrapped ELSE 1 END, 0
    FROM turn t WHERE t.wrapped = 0
      OR EXISTS (SELECT 1 FROM job j WHERE j.due_at IS NOT NULL AND j.environment_id > t.environment_id AND j.environment_id <= ?))
  SELECT id, environment_id FROM (SELECT t.environment_id, (SELECT j.id FROM job j WHERE j.environment_id = t.environment_id
      AND j.due_at IS NOT NULL AND j.due_at <= ? ORDER BY j.due_at, j.id LIMIT 1) AS id FROM turn t WHERE t.is_start = 0) AS found
    WHERE id IS NOT NULL LIMIT ?`

export const jobWrites = {
  /** `after`: the environment that had its turn last; answered for the next claim. */
  async claimJobs(
    context: WriteContext,
    now: number,
    leaseMs: number,
    limit: number,
    after: number,
  ): Promise<{ jobs: Job[]; after: number }> {
    const { sql } = context
    const at = (await context.readNow?.(sql)) ?? now
    const oldest = await sql.all<Due>(
      `SELECT id, environment_id FROM job WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?${sql.skipLocked}`,
      [at, limit + 1],
    )
    // All that is due has room: nobody waits for a turn.
    if (oldest.length <= limit) return { jobs: await takeJobs(sql, oldest, at, leaseMs), after }
    const first = await sql.all<Due>(IN_TURN, [after, after, at, limit])
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

export function createJobs(sql: Sql, writes: Writes<typeof jobWrites>): Jobs {
  /** Of this node's claims: the environment that had its turn last. */
  let turnOf = 0
  return {
    async claim(now, leaseMs, limit) {
      // Asked first, so that an idle worker writes nothing.
      const next = await nextDueAt(sql)
      if (next === null || next > now) return []
      const { jobs, after } = await writes.claimJobs(now, leaseMs, limit, turnOf)
      turnOf = after
      return jobs
    },
    complete: writes.completeJob,
    fail: writes.failJob,
    nextDueAt: () => nextDueAt(sql),
    async countDead() {
      const text = 'SELECT COUNT(*) AS dead FROM (SELECT id FROM job WHERE due_at IS NULL LIMIT 1000) AS found'
      return Number((await sql.one<{ dead: number }>(text))?.dead ?? 0)
    },
  }
}

async function nextDueAt(sql: Sql): Promise<number | null> {
  const text = 'SELECT due_at FROM job WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1'
  return (await sql.one<{ due_at: number }>(text))?.due_at ?? null
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
