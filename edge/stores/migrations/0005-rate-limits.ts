// Adds call limits per environment (migration 5).

import type { Migration } from './migration.ts'

export const rateLimits: Migration = {
  number: 5,
  oldestBinary: 1,
  // JSON of `EnvironmentLimits`; null: those of the deployment.
  statements: ['ALTER TABLE environment ADD COLUMN rate_limits TEXT'],
}
