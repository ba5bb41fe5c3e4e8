// Removes the digest events, windows and kept waits of removed runs, and the windows of erased users.

import { type Sql, withRows } from './sql.ts'

const PURGE_EVENTS = withRows({ id: 'int' }, 'DELETE FROM digest_event WHERE run_id IN (SELECT id FROM given)')
const CLOSE_WINDOWS = withRows({ id: 'int' }, 'DELETE FROM digest_window WHERE run_id IN (SELECT id FROM given)')

const PURGE_ARRIVALS = withRows({ id: 'int' }, 'DELETE FROM run_arrival WHERE run_id IN (SELECT id FROM given)')
const PURGE_WAITS = withRows({ id: 'int' }, 'DELETE FROM run_wait WHERE run_id IN (SELECT id FROM given)')

/** Closes the digest windows of runs that end early, so that later events start a new window. */
export async function closeWindows(sql: Sql, runIds: number[]): Promise<void> {
  if (runIds.length === 0) return
  await sql.bulk(
    CLOSE_WINDOWS,
    runIds.map((id) => [id]),
  )
}

/** Removes the digest rows of removed runs, and the waits of those that were given up. */
export async function purgeRunRows(sql: Sql, runIds: number[]): Promise<void> {
  if (runIds.length === 0) return
  await closeWindows(sql, runIds)
  const ids = runIds.map((id) => [id])
  await sql.bulk(PURGE_EVENTS, ids)
  await dropWaits(sql, ids)
}

/** Removes waits with their arrivals. */
export async function dropWaits(sql: Sql, runIds: number[][]): Promise<void> {
  await sql.bulk(PURGE_ARRIVALS, runIds)
  await sql.bulk(PURGE_WAITS, runIds)
}

/**
 * Removes at most `limit` throttle windows and `limit` digest windows of a user under erasure.
 * @returns The number of removed windows.
 */
export async function eraseWindows(sql: Sql, userNo: number, limit: number): Promise<number> {
  const throttled = await sql.run(
    `DELETE FROM throttle_window WHERE (user_no, campaign_id, step_id) IN
      (SELECT user_no, campaign_id, step_id FROM throttle_window WHERE user_no = ? LIMIT ?)`,
    [userNo, limit],
  )
  const digests = await sql.run(
    'DELETE FROM digest_window WHERE run_id IN (SELECT run_id FROM digest_window WHERE user_no = ? LIMIT ?)',
    [userNo, limit],
  )
  return throttled + digests
}
