// Frees the leases of an ended process in a store with one process: its claims are due again at once
// (docs/decisions/0020-fair-claims.md).

import type { Sql } from '../sql.ts'

/** The longest lease of a claim, in this release or an earlier one. */
const MAX_LEASE_MS = 60_000

/**
 * Makes claimed rows due in the order of their own times. Rows with a retry within a lease look the same.
 * Call it before the first claim, under the lock of the store.
 * @returns The number of freed rows.
 */
export async function freeLeases(sql: Sql, now: number): Promise<number> {
  let freed = 0
  // The interrupted attempt counts, so that what ends the process each time is given up in the end.
  for (const [table, time] of [
    ['job', 'run_at'],
    ['run_wait', 'timer_at'],
  ] as const) {
    freed += await sql.run(
      `UPDATE ${table} SET due_at = CASE WHEN ${time} < ? THEN ${time} ELSE ? END
        WHERE due_at IS NOT NULL AND due_at > ? AND due_at <= ? AND attempts > 0`,
      [now, now, now, now + MAX_LEASE_MS],
    )
  }
  return freed + (await freeMails(sql, now))
}

/** A claim of a mail counts no attempt: `claims` limits what a process repeats. A hand-over that was interrupted stays recorded in `handed_to`. */
function freeMails(sql: Sql, now: number): Promise<number> {
  return sql.run('UPDATE mail SET due_at = ready_at WHERE due_at IS NOT NULL AND due_at > ? AND due_at > ready_at', [
    now,
  ])
}
