// Adds the end of the last pause of a campaign: waits that were due during the pause count as late (migration 22).

import type { Migration } from './migration.ts'

export const resumedAt: Migration = {
  number: 22,
  // An older program ignores the column.
  oldestBinary: 1,
  statements: [`ALTER TABLE campaign ADD COLUMN resumed_at INTEGER`],
}
