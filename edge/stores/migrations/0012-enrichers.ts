// Adds the enrichers of environments (migration 12).

import type { Migration } from './migration.ts'

export const enrichers: Migration = {
  number: 12,
  oldestBinary: 1,
  statements: [
    `CREATE TABLE enricher (enricher_no IDENTITY, environment_id INTEGER NOT NULL, name TEXT NOT NULL, url TEXT NOT NULL,
      timeout_ms INTEGER NOT NULL, cache_seconds INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX enricher_by_name ON enricher (environment_id, name)`,
    `CREATE INDEX enricher_of_environment ON enricher (environment_id, enricher_no)`,
  ],
}
