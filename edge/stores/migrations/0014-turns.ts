// Migration 14: claims by the kinds of jobs that a node knows, and turns of environments with timers (contract sections 3 and 6).

import type { Migration } from '../migrate.ts'

export const turns: Migration = {
  number: 14,
  // A binary from before claims as it did; its indexes are still there.
  oldestBinary: 1,
  statements: [
    `CREATE INDEX job_of_kind ON job (kind, due_at, id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX job_in_turn ON job (environment_id, kind, due_at, id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX run_wait_in_turn ON run_wait (environment_id, due_at, run_id) WHERE due_at IS NOT NULL`,
  ],
}
