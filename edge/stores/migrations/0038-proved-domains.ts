// Adds proved domains, what a challenge waits for, and the attempts of known browsers (migration 38).

import type { Migration } from './migration.ts'

export const provedDomains: Migration = {
  number: 38,
  oldestBinary: 1,
  statements: [
    // The key keeps two organisations from proving one domain. `missing_since`: the record was not found by a later check.
    `CREATE TABLE proved_domain (domain TEXT PRIMARY KEY, organisation_id INTEGER NOT NULL, proved_by TEXT NOT NULL,
      proved_at INTEGER NOT NULL, checked_at INTEGER NOT NULL, missing_since INTEGER)`,
    `CREATE INDEX proved_domain_of_organisation ON proved_domain (organisation_id, domain)`,
    `CREATE INDEX proved_domain_by_check ON proved_domain (proved_by, checked_at)`,
    // Made while a provider was believed any address of the domains that its own organisation lists.
    `DELETE FROM linked_identity`,
    `DELETE FROM dashboard_session WHERE organisation_id IS NOT NULL`,
    // JSON of what the browser has to answer; null where the kind says it all.
    `ALTER TABLE sign_in_challenge ADD COLUMN detail TEXT`,
    // Attempts at the second factor in browsers that signed in before.
    `ALTER TABLE totp ADD COLUMN known_attempts INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE totp ADD COLUMN known_retry_at INTEGER NOT NULL DEFAULT 0`,
  ],
}
