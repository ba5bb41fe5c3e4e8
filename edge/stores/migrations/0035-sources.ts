// Adds sources of connectors, and what became of their last deliveries (migration 35).

import type { Migration } from './migration.ts'

export const sources: Migration = {
  number: 35,
  oldestBinary: 1,
  statements: [
    // The values of its secret are rows of `secret`, whose kind names the source.
    `CREATE TABLE source (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, public_id TEXT NOT NULL, name TEXT NOT NULL,
      provider TEXT NOT NULL, is_paused INTEGER NOT NULL, mappings TEXT NOT NULL, require_v3 INTEGER NOT NULL,
      allow_unsigned_batch_tail INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      revision INTEGER NOT NULL, last_received_at INTEGER, last_error_at INTEGER, last_error TEXT,
      accepted INTEGER NOT NULL, duplicates INTEGER NOT NULL, refused INTEGER NOT NULL, unreadable INTEGER NOT NULL,
      last_delivery INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX source_by_public_id ON source (public_id)`,
    `CREATE INDEX source_of_environment ON source (environment_id, id)`,
    // A ring: a delivery replaces that of 200 deliveries before.
    `CREATE TABLE source_delivery (source_id INTEGER NOT NULL, place INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
      delivery_id TEXT, type TEXT, outcome TEXT NOT NULL, event_id INTEGER, reason TEXT,
      PRIMARY KEY (source_id, place)) CLUSTERED`,
    `CREATE INDEX source_delivery_by_time ON source_delivery (at)`,
  ],
}
