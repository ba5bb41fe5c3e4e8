// Adds how often a process ended while it handled a claim, and the claims that were given up (migration 37).

import type { Migration } from './migration.ts'

export const givenUp: Migration = {
  number: 37,
  // An older program does not claim what was given up, as it is not due; it tries other claims for ever, as before.
  oldestBinary: 1,
  statements: [
    `ALTER TABLE run_wait ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE run_wait ADD COLUMN given_up_at INTEGER`,
    `ALTER TABLE job ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE job ADD COLUMN given_up_at INTEGER`,
    `ALTER TABLE mail ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE mail ADD COLUMN given_up_at INTEGER`,
    // Claims since the last recorded change of the mail: `attempts` counts hand-overs alone.
    `ALTER TABLE mail ADD COLUMN claims INTEGER NOT NULL DEFAULT 0`,
    `CREATE INDEX run_wait_given_up ON run_wait (environment_id, given_up_at) WHERE given_up_at IS NOT NULL`,
    `CREATE INDEX job_given_up ON job (environment_id, given_up_at) WHERE given_up_at IS NOT NULL`,
    `CREATE INDEX mail_given_up ON mail (environment_id, given_up_at) WHERE given_up_at IS NOT NULL`,
    // Jobs that an earlier release gave up.
    `UPDATE job SET given_up_at = created_at WHERE due_at IS NULL`,
  ],
}
