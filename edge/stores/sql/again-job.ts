// Stores the jobs that send and run again, the newest of each environment.

import {
  AGAIN_JOBS_KEPT,
  type AgainJob,
  type AgainJobs,
  type AgainProgress,
  type NewAgainJob,
} from '../../domain/again-job.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { NewJob } from '../../domain/job.ts'
import { AGAIN_JOB } from '../tables/again-job.ts'
import { insertOne, namesOf, type RawRow, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { insertJobs } from './job.ts'
import type { Param, Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const VIEW = view(AGAIN_JOB, 'a', namesOf(AGAIN_JOB.columns))
const INSERT = insertOne(AGAIN_JOB)
/** Whether its job is there and was not given up. */
const IS_ALIVE = `EXISTS (SELECT 1 FROM job j WHERE j.environment_id = a.environment_id AND j.id = a.id AND j.given_up_at IS NULL)`
const IS_RUNNING = `a.ended_at IS NULL AND a.stopped_at IS NULL AND ${IS_ALIVE}`
const SELECT = `SELECT ${VIEW.columns}, CASE WHEN ${IS_ALIVE} THEN 1 ELSE 0 END AS is_alive FROM again_job a WHERE a.environment_id = ?`
const NOTHING_DONE = { done: 0, made: 0, refused: 0, before: null, endedAt: null, stoppedAt: null }

export const againJobWrites = {
  async beginAgainJob(context: WriteContext, again: NewAgainJob, job: NewJob, audit: AuditEntry): Promise<boolean> {
    const { sql } = context
    const { environmentId } = again
    // Two nodes that begin at once wait here for each other.
    if (sql.forUpdate !== '') await sql.one(`SELECT id FROM environment WHERE id = ?${sql.forUpdate}`, [environmentId])
    const running = `SELECT a.id FROM again_job a WHERE a.environment_id = ? AND ${IS_RUNNING} LIMIT 1`
    if ((await sql.one(running, [environmentId])) !== undefined) return false
    await INSERT(sql, { ...again, ...NOTHING_DONE })
    await insertJobs(sql, [job])
    const kept = `SELECT id FROM again_job WHERE environment_id = ? ORDER BY id DESC LIMIT ?`
    await sql.run(`DELETE FROM again_job WHERE environment_id = ? AND id NOT IN (${kept})`, [
      environmentId,
      environmentId,
      AGAIN_JOBS_KEPT,
    ])
    await recordAudit(context, audit)
    return true
  },
  async advanceAgainJob({ sql }: WriteContext, former: AgainJob, next: AgainProgress): Promise<boolean> {
    const { done, made, refused, before, endedAt } = next
    const changed = await sql.run(
      `UPDATE again_job SET done = ?, made = ?, refused = ?, before_id = ?, ended_at = ?
        WHERE environment_id = ? AND id = ? AND ended_at IS NULL AND COALESCE(before_id, -1) = ?`,
      [done, made, refused, before, endedAt, former.environmentId, former.id, former.before ?? -1],
    )
    return changed > 0
  },
  async stopAgainJob(
    context: WriteContext,
    environmentId: number,
    id: number,
    now: number,
    audit: AuditEntry,
  ): Promise<boolean> {
    const { sql } = context
    const stopped = await sql.run(
      'UPDATE again_job SET stopped_at = ? WHERE environment_id = ? AND id = ? AND ended_at IS NULL AND stopped_at IS NULL',
      [now, environmentId, id],
    )
    if (stopped === 0) return false
    await recordAudit(context, audit)
    return true
  },
}

/** Removes the jobs whose filter names the user: their items are gone as well. */
export async function eraseAgainJobs(sql: Sql, environmentId: number, userId: string): Promise<void> {
  await sql.run('DELETE FROM again_job WHERE environment_id = ? AND user_id = ?', [environmentId, userId])
}

export function createAgainJobs(sql: Sql, writes: Writes<typeof againJobWrites>): AgainJobs {
  const read = async (tail: string, params: Param[]) =>
    (await sql.all<RawRow>(`${SELECT} ${tail}`, params)).map(readJob)
  return {
    begin: writes.beginAgainJob,
    advance: writes.advanceAgainJob,
    stop: writes.stopAgainJob,
    find: async (environmentId, id) => (await read('AND a.id = ?', [environmentId, id]))[0],
    list: (environmentId, limit) => read('ORDER BY a.id DESC LIMIT ?', [environmentId, limit]),
  }
}

function readJob(row: RawRow): AgainJob {
  const job = VIEW.read(row)
  const state =
    job.endedAt !== null ? 'done' : job.stoppedAt !== null ? 'stopped' : row.is_alive === 1 ? 'running' : 'failed'
  return { ...job, state }
}
