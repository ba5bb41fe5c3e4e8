// Adds the headers of deliveries, beside their bodies (migration 101).

import type { Migration } from './migration.ts'

export const deliveryHeaders: Migration = {
  number: 101,
  oldestBinary: 100,
  // By name as JSON, without credentials; null of deliveries from before.
  statements: ['ALTER TABLE source_body ADD COLUMN headers TEXT'],
}
