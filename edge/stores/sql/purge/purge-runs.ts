// Runs on their way out take with them what a digest has gathered for them, and the window that still gathers (contract section 6).

import { type Sql, withRows } from '../sql.ts'

const PURGE_EVENTS = withRows({ id: 'int' }, 'DELETE FROM digest_event WHERE run_id IN (SELECT id FROM given)')
const CLOSE_WINDOWS = withRows({ id: 'int' }, 'DELETE FROM digest_window WHERE run_id IN (SELECT id FROM given)')

/** Closes the windows of runs that end before their time: what comes later begins a window of its own. */
export async function closeWindows(sql: Sql, runIds: number[]): Promise<void> {
  if (runIds.length === 0) return
  await sql.bulk(
    CLOSE_WINDOWS,
    runIds.map((id) => [id]),
  )
}

/** For runs that are gone. */
export async function purgeDigests(sql: Sql, runIds: number[]): Promise<void> {
  if (runIds.length === 0) return
  await closeWindows(sql, runIds)
  await sql.bulk(
    PURGE_EVENTS,
    runIds.map((id) => [id]),
  )
}

/** Removes a bounded number of the windows of a user under erasure; answers how many. */
export async function forgetWindows(sql: Sql, userNo: number, limit: number): Promise<number> {
  const throttled = await sql.run(
    `DELETE FROM throttle_window WHERE (user_no, campaign_id, step_id) IN
      (SELECT user_no, campaign_id, step_id FROM throttle_window WHERE user_no = ? LIMIT ?)`,
    [userNo, limit],
  )
  const gathering = await sql.run(
    'DELETE FROM digest_window WHERE run_id IN (SELECT run_id FROM digest_window WHERE user_no = ? LIMIT ?)',
    [userNo, limit],
  )
  return throttled + gathering
}
