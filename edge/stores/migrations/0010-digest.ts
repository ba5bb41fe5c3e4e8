// Adds the windows of `throttle` and `digest`: a unique row per user and step (migration 10).

import type { Migration } from './migration.ts'

export const digest: Migration = {
  number: 10,
  oldestBinary: 1,
  statements: [
    // The user first: an erasure finds the rows by it. taken: requested places while some were free; most: the limit.
    `CREATE TABLE throttle_window (user_no INTEGER NOT NULL, campaign_id INTEGER NOT NULL, step_id TEXT NOT NULL, environment_id INTEGER NOT NULL,
      began_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, taken INTEGER NOT NULL, most INTEGER NOT NULL,
      PRIMARY KEY (user_no, campaign_id, step_id)) CLUSTERED`,
    `CREATE INDEX throttle_window_by_end ON throttle_window (ends_at)`,
    // The window that events join now; its row is deleted when it closes. run_id: the waiting run.
    `CREATE TABLE digest_window (user_no INTEGER NOT NULL, campaign_id INTEGER NOT NULL, version INTEGER NOT NULL, step_id TEXT NOT NULL,
      digest_key TEXT NOT NULL, environment_id INTEGER NOT NULL, run_id INTEGER NOT NULL, opened_at INTEGER NOT NULL,
      closes_at INTEGER NOT NULL, events INTEGER NOT NULL, event_bytes INTEGER NOT NULL, most INTEGER NOT NULL,
      PRIMARY KEY (user_no, campaign_id, version, step_id, digest_key)) CLUSTERED`,
    `CREATE UNIQUE INDEX digest_window_of_run ON digest_window (run_id)`,
    // One row per event of a window, stored as long as the run that gathered them. joined_run_id: that event's own
    // run.
    `CREATE TABLE digest_event (run_id INTEGER NOT NULL, place INTEGER NOT NULL, event_id INTEGER NOT NULL, joined_run_id INTEGER NOT NULL,
      environment_id INTEGER NOT NULL, PRIMARY KEY (run_id, place)) CLUSTERED`,
    // Retention checks whether a run still needs an old event.
    `CREATE INDEX digest_event_of_event ON digest_event (event_id)`,
  ],
}
