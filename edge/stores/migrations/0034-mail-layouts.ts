// Adds the layouts of sent mails (migration 34): each once for all mails that were sent with it.

import type { Migration } from './migration.ts'

export const mailLayouts: Migration = {
  number: 34,
  // Mails of an older program name no layout, and are shown with the current one.
  oldestBinary: 1,
  statements: [
    // used_at: at most a day before the last mail that was handed over with it.
    `CREATE TABLE mail_layout (environment_id INTEGER NOT NULL, hash TEXT NOT NULL, content TEXT NOT NULL,
      used_at INTEGER NOT NULL, PRIMARY KEY (environment_id, hash))`,
    `ALTER TABLE mail ADD COLUMN layout_hash TEXT`,
  ],
}
