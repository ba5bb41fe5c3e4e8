// Adds the mails that are kept while no mail server is set (migration 28).

import type { Migration } from './migration.ts'

export const mailbox: Migration = {
  number: 28,
  oldestBinary: 1,
  statements: [
    `CREATE TABLE kept_mail (message_id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, from_name TEXT, from_address TEXT NOT NULL,
      to_name TEXT, to_address TEXT NOT NULL, subject TEXT NOT NULL, html TEXT NOT NULL, plain TEXT NOT NULL, eml TEXT NOT NULL,
      created_at INTEGER NOT NULL)`,
    `CREATE INDEX kept_mail_of_environment ON kept_mail (environment_id, message_id)`,
  ],
}
