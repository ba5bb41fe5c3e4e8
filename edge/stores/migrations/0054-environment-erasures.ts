// Adds the environments whose rows are being removed (migration 54).

import type { Migration } from './migration.ts'

export const environmentErasures: Migration = {
  number: 54,
  oldestBinary: 1,
  statements: ['CREATE TABLE environment_erasure (environment_id INTEGER PRIMARY KEY, begun_at INTEGER NOT NULL)'],
}
