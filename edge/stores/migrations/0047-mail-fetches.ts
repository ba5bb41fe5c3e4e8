// Adds the latest fetches of a mail's pixel and links, by which programs are told from people (migration 47).

import type { Migration } from './migration.ts'

export const mailFetches: Migration = {
  number: 47,
  oldestBinary: 1,
  statements: [
    // JSON; null: none.
    `ALTER TABLE mail ADD COLUMN fetches TEXT`,
  ],
}
