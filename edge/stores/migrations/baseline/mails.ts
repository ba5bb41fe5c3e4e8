// Creates the tables of mails and of what sends them.

export const mails: string[] = [
  // ready_at: when it became due. due_at: when it may be claimed, null when nothing is left to do; later than ready_at
  // while it is claimed. handed_to: the integration that was asked and whose answer is not recorded.
  // permit_from: the integration from which the mail has a permit, or waits for one while due_at is null.
  // Claims since the last recorded change of the mail: `attempts` counts hand-overs alone.
  // JSON; null: none.
  `CREATE TABLE mail (environment_id INTEGER NOT NULL, message_id INTEGER NOT NULL, ready_at INTEGER NOT NULL,
    due_at INTEGER, fence INTEGER NOT NULL, attempts INTEGER NOT NULL, first_attempt_at INTEGER, handed_to INTEGER,
    integration_id INTEGER, provider TEXT, provider_message_id TEXT, last_error TEXT, sent_at INTEGER,
    delivered_at INTEGER, bounced_at INTEGER, permit_from INTEGER, paused_campaign INTEGER, layout_hash TEXT,
    crashes INTEGER NOT NULL DEFAULT 0, given_up_at INTEGER, claims INTEGER NOT NULL DEFAULT 0, attempt_log TEXT,
    fetches TEXT, PRIMARY KEY (environment_id, message_id))`,
  `CREATE INDEX mail_due ON mail (due_at, message_id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX mail_in_turn ON mail (environment_id, due_at, message_id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX mail_by_provider_id ON mail (integration_id, provider_message_id) WHERE provider_message_id IS NOT NULL`,
  `CREATE INDEX mail_awaiting_permit ON mail (permit_from, message_id) WHERE due_at IS NULL AND permit_from IS NOT NULL`,
  `CREATE INDEX mail_paused ON mail (paused_campaign, message_id) WHERE paused_campaign IS NOT NULL`,
  `CREATE INDEX mail_given_up ON mail (environment_id, given_up_at) WHERE given_up_at IS NOT NULL`,

  // Mails in 1000 seconds, so that a rate below one a second is a whole number. No permit is issued before
  // next_permit_at, which follows from the rate, and before closed_until, which the provider has named.
  `CREATE TABLE mail_integration (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL,
    provider TEXT NOT NULL, sealed TEXT NOT NULL, from_name TEXT, from_address TEXT, priority INTEGER NOT NULL,
    webhook_id TEXT NOT NULL, webhook_password_hash TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL, last_sent_at INTEGER, last_error_at INTEGER, last_error TEXT, last_webhook_at INTEGER,
    max_per_1000s INTEGER, next_permit_at INTEGER, closed_until INTEGER,
    PRIMARY KEY (environment_id, id))`,
  `CREATE UNIQUE INDEX mail_integration_by_name ON mail_integration (environment_id, name)`,
  `CREATE UNIQUE INDEX mail_integration_by_webhook ON mail_integration (webhook_id)`,

  // Providers choose the ids of events, so they are stored as hashes of one length.
  `CREATE TABLE mail_report (environment_id INTEGER NOT NULL, integration_id INTEGER NOT NULL, event_hash TEXT NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (environment_id, integration_id, event_hash)) CLUSTERED`,
  `CREATE INDEX mail_report_by_time ON mail_report (at)`,

  `CREATE TABLE kept_mail (environment_id INTEGER NOT NULL, message_id INTEGER NOT NULL, from_name TEXT,
    from_address TEXT NOT NULL, to_name TEXT, to_address TEXT NOT NULL, subject TEXT NOT NULL, html TEXT NOT NULL,
    plain TEXT NOT NULL, eml TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (environment_id, message_id))`,
  // A file of a mail has only the message in its name.
  `CREATE INDEX kept_mail_by_message ON kept_mail (message_id)`,

  // used_at: at most a day before the last mail that was handed over with it.
  `CREATE TABLE mail_layout (environment_id INTEGER NOT NULL, hash TEXT NOT NULL, content TEXT NOT NULL,
    used_at INTEGER NOT NULL, PRIMARY KEY (environment_id, hash))`,
]
