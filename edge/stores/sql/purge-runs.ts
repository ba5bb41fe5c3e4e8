// Removes the digest events, windows and kept waits of removed runs, and the windows of erased users.

import { type Sql, withRows } from './sql.ts'

/** The key of a run. */
type Key = [environmentId: number, runId: number]

const removeOf = (table: string) =>
  withRows(
    { environment_id: 'int', run_id: 'int' },
    `DELETE FROM ${table} WHERE (environment_id, run_id) IN (SELECT environment_id, run_id FROM given)`,
  )
/** The tables that have rows of a run. */
export const ROWS_OF_RUNS = ['digest_window', 'digest_event', 'run_arrival', 'run_wait']
const PURGE_EVENTS = removeOf('digest_event')
const PURGE_ARRIVALS = removeOf('run_arrival')
const PURGE_WAITS = removeOf('run_wait')
/** An index of windows by their run finds them. */
const CLOSE_WINDOWS = removeOf('digest_window')

/** Closes the digest windows of runs that end early, so that later events start a new window. */
export async function closeWindows(sql: Sql, runs: Key[]): Promise<void> {
  if (runs.length > 0) await sql.bulk(CLOSE_WINDOWS, runs)
}

/** Removes the digest rows of removed runs, and the waits of those that were given up. */
export async function purgeRunRows(sql: Sql, runs: Key[]): Promise<void> {
  if (runs.length === 0) return
  await closeWindows(sql, runs)
  await sql.bulk(PURGE_EVENTS, runs)
  await dropWaits(sql, runs)
}

/** Removes waits with their arrivals. */
export async function dropWaits(sql: Sql, runs: Key[]): Promise<void> {
  await sql.bulk(PURGE_ARRIVALS, runs)
  await sql.bulk(PURGE_WAITS, runs)
}

/**
 * Removes at most `limit` throttle windows and `limit` digest windows of a user under erasure.
 * @returns The number of removed windows.
 */
export async function eraseWindows(sql: Sql, environmentId: number, userNo: number, limit: number): Promise<number> {
  const throttled = await sql.run(
    `DELETE FROM throttle_window WHERE (environment_id, user_no, campaign_id, step_id) IN
      (SELECT environment_id, user_no, campaign_id, step_id FROM throttle_window
        WHERE environment_id = ? AND user_no = ? LIMIT ?)`,
    [environmentId, userNo, limit],
  )
  const digests = await sql.run(
    `DELETE FROM digest_window WHERE (environment_id, run_id) IN
      (SELECT environment_id, run_id FROM digest_window WHERE environment_id = ? AND user_no = ? LIMIT ?)`,
    [environmentId, userNo, limit],
  )
  return throttled + digests
}
