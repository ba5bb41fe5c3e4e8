// Adds the site at which paths in mails begin, and the schemes of apps that links may have (migration 44).

import type { Migration } from './migration.ts'

export const mailLinks: Migration = {
  number: 44,
  oldestBinary: 1,
  // Null: PUBLIC_URL, and no scheme of an app. The schemes are a list as JSON.
  statements: [
    'ALTER TABLE environment ADD COLUMN site_url TEXT',
    'ALTER TABLE environment ADD COLUMN app_schemes TEXT',
  ],
}
