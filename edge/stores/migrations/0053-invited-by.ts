// Adds who has made an invitation (migration 53).

import type { Migration } from './migration.ts'

export const invitedBy: Migration = {
  number: 53,
  oldestBinary: 1,
  statements: ['ALTER TABLE invitation ADD COLUMN invited_by TEXT'],
}
