// Migration 9: waits of runs (contract section 6). Only runs that wait have a row, so that the others cost what they did.

import type { Migration } from '../migrate.ts'

export const runWaits: Migration = {
  number: 9,
  // A binary from before leaves the waits alone: they go on when a later one starts.
  oldestBinary: 1,
  statements: [
    // parked: it fell due while its campaign was paused. timer_at: when time wakes it; due_at: when it may be claimed (its time, the end of a lease, an event that came), null while its campaign is paused.
    `CREATE TABLE run_wait (run_id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, user_no INTEGER NOT NULL,
      wait_no INTEGER NOT NULL, step_id TEXT NOT NULL, awaits TEXT, timer_at INTEGER NOT NULL, due_at INTEGER,
      attempts INTEGER NOT NULL, fence INTEGER NOT NULL, parked INTEGER NOT NULL, course TEXT NOT NULL, error TEXT)`,
    `CREATE INDEX run_wait_due ON run_wait (due_at, run_id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX run_wait_of_campaign ON run_wait (campaign_id, run_id)`,
    `CREATE INDEX run_wait_of_user ON run_wait (user_no, run_id)`,
    // Events that a waiting run has yet to look at.
    `CREATE TABLE run_arrival (run_id INTEGER NOT NULL, event_id INTEGER NOT NULL, PRIMARY KEY (run_id, event_id)) CLUSTERED`,
    // Names of events that published versions wait for: only those are looked up among the waits.
    `CREATE TABLE awaited_name (environment_id INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (environment_id, name)) CLUSTERED`,
    // drains: an archived campaign lets its waiting runs finish.
    `ALTER TABLE campaign ADD COLUMN drains INTEGER NOT NULL DEFAULT 0`,
  ],
}
