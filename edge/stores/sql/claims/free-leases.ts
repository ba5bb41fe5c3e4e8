// Frees the leases of an ended process where only one process uses a store: its claims are due again at once
// (docs/decisions/0020-fair-claims.md).

import type { Sql } from '../sql.ts'

/** The longest lease of a claim, in this release or an earlier one. */
const LONGEST_LEASE_MS = 60_000

/**
 * Makes claimed rows due, and those to be retried within a lease, which look the same. They keep the order of their
 * own times. The interrupted attempt does not count: otherwise a few restarts would make the retry delay minutes
 * long, and end the run. Call it only with the store locked against all other processes, before the first claim.
 * @returns The number of freed rows.
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
