// Stores jobs. Workers claim due jobs under a lease, environments in turn, and each claim raises the fence. Completed
// jobs are deleted.

import type { FailedJob, Job, JobClaim, Jobs, NewJob } from '../../domain/job.ts'
import { JOB } from '../tables/job.ts'
import { insertPlanned, type RawRow, view } from '../tables/table.ts'
import {
  chosenColumns,
  claimableOf,
  dueInMs,
  isDue,
  nextDueAt,
  nextInTurn,
  queryTurns,
  turnParams,
  unionOf,
} from './claims/due.ts'
import { hasClosed } from './closed.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const JOB_VIEW = view(JOB, '', [
  'id',
  'environmentId',
  'kind',
  'payload',
  'runAt',
  'createdAt',
  'attempts',
  'fence',
  'crashes',
])
const INSERT = insertPlanned(JOB)
/** A process may have ended while it ran one of these. */
const CHOSEN = chosenColumns('id', 'attempts > 0 OR crashes > 0')

interface DueRow {
  id: number
  environment_id: number
}
interface Claiming {
  now: number
  leaseMs: number
  limit: number
  kinds: readonly string[]
}

/** Selects due jobs of each kind, oldest first, up to a limit. */
const oldestOf = (kinds: readonly string[], lock: string) =>
  unionOf(
    kinds.map(
      () =>
        `SELECT id, environment_id, due_at FROM job WHERE kind = ? AND due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?${lock}`,
    ),
  )

/** Selects the oldest due job of `t.environment_id` among these kinds. */
const oldestInTurn = (kinds: readonly string[]) => {
  const parts = kinds.map(
    () => `SELECT j.id, j.due_at FROM job j WHERE j.environment_id = t.environment_id AND j.kind = ? AND j.due_at IS NOT NULL AND j.due_at <= ?
      ORDER BY j.due_at, j.id LIMIT 1`,
  )
  return `SELECT id FROM (${unionOf(parts)}) AS oldest ORDER BY due_at, id LIMIT 1`
}

export const jobWrites = {
  /** Claims due jobs. `after` is the environment of the last turn; the result contains it for the next claim. */
  async claimJobs(
    context: WriteContext,
    { now, leaseMs, limit, kinds }: Claiming,
    after: number,
  ): Promise<{ jobs: Job[]; after: number }> {
    const { sql } = context
    const at = (await context.readNow?.(sql)) ?? now
    const ofKinds = kinds.flatMap((kind) => [kind, at])
    const listTurns = () => sql.all<DueRow>(queryTurns('job', oldestInTurn(kinds)), turnParams(after, ofKinds, limit))
    if (await hasClosed(sql)) {
      // The oldest due jobs may all be those of closed environments.
      const turns = await listTurns()
      return { jobs: await takeJobs(sql, turns, at, leaseMs), after: turns.at(-1)?.environment_id ?? after }
    }
    const oldest = await sql.all<DueRow>(`${oldestOf(kinds, sql.skipLocked)} ORDER BY due_at, id LIMIT ?`, [
      ...kinds.flatMap((kind) => [kind, at, limit + 1]),
      limit + 1,
    ])
    // All due jobs are within the limit, so no turns are needed.
    if (oldest.length <= limit) return { jobs: await takeJobs(sql, oldest, at, leaseMs), after }
    const first = await listTurns()
    const turned = new Set(first.map(({ id }) => id))
    const picked = [...first, ...oldest.filter(({ id }) => !turned.has(id))].slice(0, limit)
    const jobs = await takeJobs(sql, picked, at, leaseMs)
    // Another node may have claimed all of these; the oldest jobs are locked for this node.
    if (jobs.length === 0) return { jobs: await takeJobs(sql, oldest.slice(0, limit), at, leaseMs), after }
    return { jobs, after: first.at(-1)?.environment_id ?? after }
  },
  async completeJob(context: WriteContext, claim: JobClaim): Promise<void> {
    await context.sql.run('DELETE FROM job WHERE environment_id = ? AND id = ? AND fence = ?', keyOf(claim))
  },
  async goOnWithJob(context: WriteContext, claim: JobClaim, dueAt: number): Promise<void> {
    await context.sql.run(
      `UPDATE job SET error = NULL, due_at = ?, run_at = ?, attempts = 0, crashes = 0, fence = fence + 1
        WHERE environment_id = ? AND id = ? AND fence = ?`,
      [dueAt, dueAt, ...keyOf(claim)],
    )
  },
  async failJob(context: WriteContext, claim: JobClaim, failed: FailedJob): Promise<void> {
    const { error, now, retryAt, isCounted } = failed
    const givenUpAt = retryAt === null ? now : null
    await context.sql.run(
      `UPDATE job SET error = ?, due_at = ?, run_at = COALESCE(?, run_at), given_up_at = ?, attempts = attempts - ?, fence = fence + 1
        WHERE environment_id = ? AND id = ? AND fence = ?`,
      [error, retryAt, retryAt, givenUpAt, isCounted ? 0 : 1, ...keyOf(claim)],
    )
  },
}

const keyOf = ({ environmentId, id, fence }: JobClaim) => [environmentId, id, fence]

/** Inserts jobs in the caller's transaction. */
export async function insertJobs(sql: Sql, jobs: NewJob[]): Promise<void> {
  await INSERT.write(
    sql,
    jobs.map((job) => [
      job,
      { claimableAt: job.runAt, attempts: 0, fence: 0, error: null, crashes: 0, givenUpAt: null },
    ]),
  )
}

/** @returns Rows of parameters for keys; PostgreSQL takes the types of all from the first. */
const keysOf = (count: number) =>
  ['(CAST(? AS BIGINT), CAST(? AS BIGINT))', ...Array(count - 1).fill('(?, ?)')].join(', ')

/** Claims the picked jobs, and returns them in that order. */
async function takeJobs(sql: Sql, picked: DueRow[], at: number, leaseMs: number): Promise<Job[]> {
  if (picked.length === 0) return []
  const places = new Map(picked.map(({ id }, place) => [id, place]))
  const rows = await sql.all<RawRow>(
    `WITH chosen AS MATERIALIZED (SELECT ${CHOSEN} FROM job WHERE (environment_id, id) IN (VALUES ${keysOf(picked.length)})
        AND due_at <= ?${sql.skipLocked})
      UPDATE job SET due_at = ?, attempts = attempts + 1, fence = fence + 1 WHERE (environment_id, id) IN (${claimableOf('id')})
      RETURNING ${JOB_VIEW.columns}`,
    [...picked.flatMap((row) => [row.environment_id, row.id]), at, at + leaseMs],
  )
  return rows.map(JOB_VIEW.read).sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
}

export function createJobs(sql: Sql, writes: Writes<typeof jobWrites>, readNow?: WriteContext['readNow']): Jobs {
  const readShared = readNow && (() => readNow(sql))
  /** The environment of this node's last turn. */
  let lastTurn = 0
  return {
    async claim(now, leaseMs, limit, kinds) {
      // Read first, so that an idle worker writes nothing.
      if (!(await isDue(await nextOfKinds(sql, kinds), now, readShared))) return []
      const { jobs, after } = await writes.claimJobs({ now, leaseMs, limit, kinds }, lastTurn)
      lastTurn = after
      return jobs
    },
    complete: writes.completeJob,
    goOn: writes.goOnWithJob,
    fail: writes.failJob,
    async nextDueInMs(now, kinds) {
      const next = kinds === undefined ? await nextDueAt(sql, 'job') : await nextOfKinds(sql, kinds)
      return dueInMs(next, now, readShared)
    },
  }
}

async function nextOfKinds(sql: Sql, kinds: readonly string[]): Promise<number | null> {
  if (kinds.length === 0) return null
  const parts = kinds.map(
    () => 'SELECT environment_id, due_at FROM job WHERE kind = ? AND due_at IS NOT NULL ORDER BY due_at, id LIMIT 1',
  )
  const text = `${unionOf(parts)} ORDER BY due_at LIMIT 1`
  const row = await sql.one<{ environment_id: number; due_at: number }>(text, [...kinds])
  // Another kind of it, or of another environment, may be next. Few jobs wait while an environment is closed.
  if (row === undefined || !(await hasClosed(sql))) return row?.due_at ?? null
  const ofKind = () =>
    `SELECT MIN(j.due_at) AS due_at FROM job j WHERE j.environment_id = t.environment_id AND j.kind = ? AND j.due_at IS NOT NULL`
  return nextInTurn(sql, 'job', `SELECT MIN(due_at) FROM (${unionOf(kinds.map(ofKind))}) AS next`, [...kinds])
}
