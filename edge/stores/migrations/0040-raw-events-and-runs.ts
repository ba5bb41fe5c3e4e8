// Adds what an event was sent with and no other column has, and the runs of kept deliveries (migration 40).

import type { Migration } from './migration.ts'

export const rawEventsAndRuns: Migration = {
  number: 40,
  oldestBinary: 1,
  statements: [
    `ALTER TABLE tracked_event ADD COLUMN raw TEXT`,
    // The last run of each source. mappings: of its begin, as JSON, so that a part that runs twice gives the same events.
    // after_at, after_body: the last body that was run.
    `CREATE TABLE source_run (source_id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, job_id INTEGER NOT NULL,
      from_at INTEGER NOT NULL, to_at INTEGER NOT NULL, outcome TEXT, mappings TEXT NOT NULL, correlation_id TEXT NOT NULL,
      deliveries INTEGER NOT NULL, done INTEGER NOT NULL, accepted INTEGER NOT NULL, refused INTEGER NOT NULL,
      after_at INTEGER, after_body TEXT, started_at INTEGER NOT NULL, ended_at INTEGER)`,
  ],
}
