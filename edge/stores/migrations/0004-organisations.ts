// Adds settings and notification configs of organisations, and their fields of the audit log (migration 4).

import type { Migration } from './migration.ts'

export const organisations: Migration = {
  number: 4,
  oldestBinary: 1,
  statements: [
    // JSON of `SettingsDetail`; null: settings were not created yet. retention_days applies from the start.
    `ALTER TABLE organisation ADD COLUMN settings TEXT`,
    // content: JSON of `ConfigContent`.
    `CREATE TABLE notification_config (id INTEGER PRIMARY KEY, organisation_id INTEGER NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX notification_config_by_name ON notification_config (organisation_id, name)`,
    `CREATE INDEX notification_config_of_organisation ON notification_config (organisation_id, id)`,
    `ALTER TABLE audit_entry ADD COLUMN organisation_id INTEGER`,
    `ALTER TABLE audit_entry ADD COLUMN correlation_id TEXT`,
    `CREATE INDEX audit_entry_of_organisation ON audit_entry (organisation_id, number) WHERE organisation_id IS NOT NULL`,
  ],
}
