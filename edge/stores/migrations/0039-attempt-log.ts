// Adds what providers answered to the attempts of a mail (migration 39).

import type { Migration } from './migration.ts'

export const attemptLog: Migration = {
  number: 39,
  oldestBinary: 1,
  // As JSON, null before the first attempt.
  statements: [`ALTER TABLE mail ADD COLUMN attempt_log TEXT`],
}
