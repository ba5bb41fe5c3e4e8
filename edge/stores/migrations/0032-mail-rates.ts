// Adds rates of integrations with providers of mail, and what mails wait for (migration 32).

import type { Migration } from './migration.ts'

export const mailRates: Migration = {
  number: 32,
  // An older program hands mails over without regard to the rates, and leaves waiting mails to a newer one.
  oldestBinary: 1,
  statements: [
    // Mails in 1000 seconds, so that a rate below one a second is a whole number. No permit is issued before
    // next_permit_at, which follows from the rate, and before closed_until, which the provider has named.
    `ALTER TABLE mail_integration ADD COLUMN max_per_1000s INTEGER`,
    `ALTER TABLE mail_integration ADD COLUMN next_permit_at INTEGER`,
    `ALTER TABLE mail_integration ADD COLUMN closed_until INTEGER`,
    // permit_from: the integration from which the mail has a permit, or waits for one while due_at is null.
    `ALTER TABLE mail ADD COLUMN permit_from INTEGER`,
    `CREATE INDEX mail_awaiting_permit ON mail (permit_from, message_id) WHERE due_at IS NULL AND permit_from IS NOT NULL`,
  ],
}
