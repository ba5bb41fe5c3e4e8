// Adds the campaign whose pause a mail waits out (migration 33).

import type { Migration } from './migration.ts'

export const pausedMails: Migration = {
  number: 33,
  // An older program leaves waiting mails to a newer one, or to the time at which they are too late.
  oldestBinary: 1,
  statements: [
    `ALTER TABLE mail ADD COLUMN paused_campaign INTEGER`,
    `CREATE INDEX mail_paused ON mail (paused_campaign, message_id) WHERE paused_campaign IS NOT NULL`,
  ],
}
