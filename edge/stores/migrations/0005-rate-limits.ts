// Migration 5: an environment's own limits of calls (contract section 1, `request/rate-limited`).

import type { Migration } from '../migrate.ts'

export const rateLimits: Migration = {
  number: 5,
  oldestBinary: 1,
  // JSON of `EnvironmentLimits`; null: those of the deployment.
  statements: ['ALTER TABLE environment ADD COLUMN rate_limits TEXT'],
}
