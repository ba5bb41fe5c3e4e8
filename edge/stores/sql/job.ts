// Jobs: claimed under a lease, with a fence that every claim raises (house section 3). A completed job is gone.

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

export const jobWrites = {
  async claimJobs(context: WriteContext, now: number, leaseMs: number, limit: number): Promise<Job[]> {
    const at = (await context.readNow?.(context.sql)) ?? now
    const rows = await context.sql.all<Row>(
      `UPDATE job SET due_at = ?, attempts = attempts + 1, fence = fence + 1
        WHERE id IN (SELECT id FROM job WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?${context.sql.skipLocked})
        RETURNING id, environment_id, kind, payload, run_at, created_at, attempts, fence`,
      [at + leaseMs, at, limit],
    )
    return rows.map(toJob).sort((a, b) => a.runAt - b.runAt || a.id - b.id)
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

export function createJobs(sql: Sql, writes: Writes<typeof jobWrites>): Jobs {
  return {
    async claim(now, leaseMs, limit) {
      // Asked first, so that an idle worker writes nothing.
      const next = await nextDueAt(sql)
      return next === null || next > now ? [] : writes.claimJobs(now, leaseMs, limit)
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
