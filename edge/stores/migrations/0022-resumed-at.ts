// Migration 22: when the last pause of a campaign ended, so that a wait that fell due in it is known for late, whoever met it.

import type { Migration } from './migration.ts'

export const resumedAt: Migration = {
  number: 22,
  // A binary from before leaves the column alone, and judges what it met itself.
  oldestBinary: 1,
  statements: [`ALTER TABLE campaign ADD COLUMN resumed_at INTEGER`],
}
