// Adds the time at which admins were told that an old value of a secret ends (migration 52).

import type { Migration } from './migration.ts'

export const secretWarnings: Migration = {
  number: 52,
  oldestBinary: 1,
  statements: ['ALTER TABLE secret ADD COLUMN warned_at INTEGER'],
}
