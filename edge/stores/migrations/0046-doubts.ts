// Adds doubts (migration 46): what was accepted and cannot have been meant, counted.

import type { Migration } from './migration.ts'

export const doubts: Migration = {
  number: 46,
  oldestBinary: 1,
  statements: [
    // doubt_id: of kind, subject and message, so that nodes add to one count. place: the last time (ms) and three digits.
    // user_id: whose data the example has.
    `CREATE TABLE doubt (environment_id INTEGER NOT NULL, doubt_id TEXT NOT NULL, kind TEXT NOT NULL,
      subject_type TEXT NOT NULL, subject_id TEXT NOT NULL, message TEXT NOT NULL, example TEXT, user_id TEXT,
      count INTEGER NOT NULL, first_at INTEGER NOT NULL, place INTEGER NOT NULL,
      PRIMARY KEY (environment_id, doubt_id)) CLUSTERED`,
    `CREATE INDEX doubt_in_order ON doubt (environment_id, place)`,
    `CREATE INDEX doubt_of_user ON doubt (environment_id, user_id)`,
    `CREATE INDEX doubt_by_time ON doubt (place)`,
  ],
}
