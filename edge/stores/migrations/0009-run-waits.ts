// Adds waits of runs (migration 9). Only waiting runs have a row, so that the others cost no more.

import type { Migration } from './migration.ts'

export const runWaits: Migration = {
  number: 9,
  // An older program ignores the waits: they continue when a newer one starts.
  oldestBinary: 1,
  statements: [
    // parked: it was due while its campaign was paused. timer_at: when its timer ends. due_at: when it may be claimed,
    // null while its campaign is paused. course: the stored run state.
    `CREATE TABLE run_wait (run_id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, user_no INTEGER NOT NULL,
      wait_no INTEGER NOT NULL, step_id TEXT NOT NULL, awaits TEXT, timer_at INTEGER NOT NULL, due_at INTEGER,
      attempts INTEGER NOT NULL, fence INTEGER NOT NULL, parked INTEGER NOT NULL, course TEXT NOT NULL, error TEXT)`,
    `CREATE INDEX run_wait_due ON run_wait (due_at, run_id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX run_wait_of_campaign ON run_wait (campaign_id, run_id)`,
    `CREATE INDEX run_wait_of_user ON run_wait (user_no, run_id)`,
    // Events that a waiting run has yet to read.
    `CREATE TABLE run_arrival (run_id INTEGER NOT NULL, event_id INTEGER NOT NULL, PRIMARY KEY (run_id, event_id)) CLUSTERED`,
    // Names of events that published versions await: only those are looked up among the waits.
    `CREATE TABLE awaited_name (environment_id INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (environment_id, name)) CLUSTERED`,
    // drains: an archived campaign lets its waiting runs finish.
    `ALTER TABLE campaign ADD COLUMN drains INTEGER NOT NULL DEFAULT 0`,
  ],
}
