// Adds the translations and snippets of environments, and to each version those that it uses (migration 45).

import type { Migration } from './migration.ts'

export const texts: Migration = {
  number: 45,
  oldestBinary: 1,
  statements: [
    `CREATE TABLE text_file (environment_id INTEGER NOT NULL, section TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (environment_id, section, name)) CLUSTERED`,
    // JSON, as the texts were when the version was published; null: it uses none.
    `ALTER TABLE campaign_version ADD COLUMN texts TEXT`,
  ],
}
