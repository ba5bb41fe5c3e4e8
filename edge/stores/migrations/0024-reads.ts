// Adds the indexes of the dashboard's reads: users, topics, and messages that were not sent (migration 24).

import type { Migration } from './migration.ts'

export const reads: Migration = {
  number: 24,
  oldestBinary: 1,
  statements: [
    `CREATE INDEX app_user_of_environment ON app_user (environment_id, user_no)`,
    // Queries must use the same expressions. Users without an e-mail address or a name cost nothing here.
    `CREATE INDEX app_user_by_email ON app_user (environment_id, LOWER(email), user_no) WHERE email IS NOT NULL`,
    `CREATE INDEX app_user_by_name ON app_user (environment_id, LOWER(name), user_no) WHERE name IS NOT NULL`,
    `CREATE INDEX topic_of_environment ON topic (environment_id, topic_no)`,
    // Contains uncommon values only. The id bounds the window, because ids rise with time.
    `CREATE INDEX message_by_outcome ON message (environment_id, channel, status, id, status_reason)
      WHERE status IN ('skipped', 'failed') AND is_test = 0`,
    // From here on, each entry of an environment names the organisation, so that one index serves its log.
    `UPDATE audit_entry SET organisation_id = (SELECT e.organisation_id FROM environment e WHERE e.id = audit_entry.environment_id)
      WHERE organisation_id IS NULL AND environment_id IS NOT NULL`,
  ],
}
