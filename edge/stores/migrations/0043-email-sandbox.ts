// Adds the sandbox of an environment's mails (migration 43).

import type { Migration } from './migration.ts'

export const emailSandbox: Migration = {
  number: 43,
  oldestBinary: 1,
  // JSON; null: none in production, and elsewhere one that lets nothing out.
  statements: [`ALTER TABLE environment ADD COLUMN email_sandbox TEXT`],
}
