// Leases of a process that is gone, where only one works on a store at a time: its claims come back at once (decision 0195).

import type { Sql } from '../sql.ts'

/** The longest lease of a claim, by this release or one before it. */
const LONGEST_LEASE_MS = 60_000

/**
 * Makes due what was claimed, and what was to be tried again within a lease: the two look alike. In the order of their own
 * times. The attempt that was cut off counts for nothing: else a few restarts would make the pause behind a later fault minutes
 * long, and end the run. Only for who has locked the store against every other process, before anything is claimed.
 */
export async function freeLeases(sql: Sql, now: number): Promise<number> {
  let freed = 0
  for (const [table, time] of [
    ['job', 'run_at'],
    ['run_wait', 'timer_at'],
  ] as const) {
    freed += await sql.run(
      `UPDATE ${table} SET due_at = CASE WHEN ${time} < ? THEN ${time} ELSE ? END, attempts = attempts - 1
        WHERE due_at IS NOT NULL AND due_at > ? AND due_at <= ? AND attempts > 0`,
      [now, now, now, now + LONGEST_LEASE_MS],
    )
  }
  return freed
}
