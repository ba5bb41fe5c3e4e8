// Adds mails on their way (migration 26). Only messages that are sent as mail have a row, so that the others cost no more.

import type { Migration } from './migration.ts'

export const mail: Migration = {
  number: 26,
  // An older program ignores the mails: they are sent when a newer one starts.
  oldestBinary: 1,
  statements: [
    // ready_at: when it became due. due_at: when it may be claimed, null when nothing is left to do; later than ready_at
    // while it is claimed. handed_to: the integration that was asked and whose answer is not recorded.
    `CREATE TABLE mail (message_id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, ready_at INTEGER NOT NULL, due_at INTEGER,
      fence INTEGER NOT NULL, attempts INTEGER NOT NULL, first_attempt_at INTEGER, handed_to INTEGER, integration_id INTEGER,
      provider TEXT, provider_message_id TEXT, last_error TEXT, sent_at INTEGER, delivered_at INTEGER, bounced_at INTEGER)`,
    `CREATE INDEX mail_due ON mail (due_at, message_id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX mail_in_turn ON mail (environment_id, due_at, message_id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX mail_by_provider_id ON mail (integration_id, provider_message_id) WHERE provider_message_id IS NOT NULL`,
  ],
}
