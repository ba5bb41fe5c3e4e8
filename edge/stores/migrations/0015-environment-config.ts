// Adds the notification config of an environment, for campaigns without one of their own (migration 15).

import type { Migration } from './migration.ts'

export const environmentConfig: Migration = {
  number: 15,
  oldestBinary: 1,
  // Null: none.
  statements: ['ALTER TABLE environment ADD COLUMN notification_config_id INTEGER'],
}
