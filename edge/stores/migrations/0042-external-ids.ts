// Adds the ids that users have in other systems (migration 42): each belongs to one user of its environment.

import type { Migration } from './migration.ts'

export const externalIds: Migration = {
  number: 42,
  oldestBinary: 1,
  statements: [
    `CREATE TABLE external_id (environment_id INTEGER NOT NULL, system TEXT NOT NULL, value TEXT NOT NULL,
      user_no INTEGER NOT NULL, PRIMARY KEY (environment_id, system, value)) CLUSTERED`,
    `CREATE INDEX external_id_of_user ON external_id (user_no)`,
    // The same as JSON, so that a profile is read with them; null: none.
    `ALTER TABLE app_user ADD COLUMN external_ids TEXT`,
  ],
}
