// Adds the count of items that arrived while their source was paused (migration 41).

import type { Migration } from './migration.ts'

export const droppedDeliveries: Migration = {
  number: 41,
  oldestBinary: 1,
  statements: [`ALTER TABLE source ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0`],
}
