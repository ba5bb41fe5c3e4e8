// Adds preferences and suppressions of users, and jobs by environment for fair turns (migration 11).

import type { Migration } from './migration.ts'

export const sending: Migration = {
  number: 11,
  oldestBinary: 1,
  statements: [
    // content: JSON of `Preferences`.
    `CREATE TABLE user_preference (user_no INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, content TEXT NOT NULL, updated_at INTEGER NOT NULL)`,
    // subject: `user:<userId>`, or `address:` with a hash: a suppression list must not be a list of addresses.
    `CREATE TABLE suppression (environment_id INTEGER NOT NULL, subject TEXT NOT NULL, channel TEXT NOT NULL, reason TEXT NOT NULL,
      created_at INTEGER NOT NULL, PRIMARY KEY (environment_id, subject, channel)) CLUSTERED`,
    // A row once an environment has either: before that, no check is made.
    `CREATE TABLE send_rules_used (environment_id INTEGER PRIMARY KEY, since INTEGER NOT NULL)`,
    `CREATE INDEX job_of_environment ON job (environment_id, due_at, id) WHERE due_at IS NOT NULL`,
  ],
}
