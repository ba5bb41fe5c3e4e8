// Indexes jobs by kind, and the turns of environments with timers (migration 14).

import type { Migration } from './migration.ts'

export const turns: Migration = {
  number: 14,
  // An older program claims as before; its indexes still exist.
  oldestBinary: 1,
  statements: [
    `CREATE INDEX job_of_kind ON job (kind, due_at, id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX job_in_turn ON job (environment_id, kind, due_at, id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX run_wait_in_turn ON run_wait (environment_id, due_at, run_id) WHERE due_at IS NOT NULL`,
  ],
}
