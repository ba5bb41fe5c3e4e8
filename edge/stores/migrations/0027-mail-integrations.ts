// Adds integrations with providers of mail, and the events of providers that were taken (migration 27).

import type { Migration } from './migration.ts'

export const mailIntegrations: Migration = {
  number: 27,
  oldestBinary: 1,
  statements: [
    `CREATE TABLE mail_integration (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, name TEXT NOT NULL, provider TEXT NOT NULL,
      sealed TEXT NOT NULL, from_name TEXT, from_address TEXT, priority INTEGER NOT NULL, webhook_id TEXT NOT NULL,
      webhook_password_hash TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, revision INTEGER NOT NULL,
      last_sent_at INTEGER, last_error_at INTEGER, last_error TEXT, last_webhook_at INTEGER)`,
    `CREATE UNIQUE INDEX mail_integration_by_name ON mail_integration (environment_id, name)`,
    `CREATE UNIQUE INDEX mail_integration_by_webhook ON mail_integration (webhook_id)`,
    // Providers choose the ids of events, so they are stored as hashes of one length.
    `CREATE TABLE mail_report (integration_id INTEGER NOT NULL, event_hash TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (integration_id, event_hash)) CLUSTERED`,
    `CREATE INDEX mail_report_by_time ON mail_report (at)`,
  ],
}
