// Adds what became of the mail of an invitation (migration 30).

import type { Migration } from './migration.ts'

export const invitationMails: Migration = {
  number: 30,
  oldestBinary: 1,
  statements: [
    // `sending`, `sent`, `failed` or `unknown`; null: no mail server was set.
    `ALTER TABLE invitation ADD COLUMN mail_state TEXT`,
    // When the state was written.
    `ALTER TABLE invitation ADD COLUMN mail_at INTEGER`,
    // The last answer of the mail server, in words.
    `ALTER TABLE invitation ADD COLUMN mail_error TEXT`,
  ],
}
