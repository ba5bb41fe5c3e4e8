// Creates the tables of organisations and environments, with their secrets, settings and texts.

export const tenants: string[] = [
  // JSON of `SettingsDetail`; null: settings were not created yet. retention_days applies from the start.
  `CREATE TABLE organisation (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT, onboarded_at INTEGER,
    retention_days INTEGER NOT NULL, created_at INTEGER NOT NULL, settings TEXT, revision INTEGER NOT NULL DEFAULT 0)`,

  `CREATE TABLE environment (id INTEGER PRIMARY KEY, organisation_id INTEGER NOT NULL, name TEXT NOT NULL,
    is_production INTEGER NOT NULL, allowed_origins TEXT NOT NULL, require_expiring_tokens INTEGER NOT NULL,
    sdk_key_may_manage INTEGER NOT NULL, identity_provider TEXT, public_key TEXT, disabled_at INTEGER,
    created_at INTEGER NOT NULL, rate_limits TEXT, notification_config_id INTEGER, revision INTEGER NOT NULL DEFAULT 0,
    email_sandbox TEXT, site_url TEXT, app_schemes TEXT, closed_at INTEGER, closed_for TEXT, moved_to TEXT,
    moved_at INTEGER, require_publish_approval INTEGER NOT NULL DEFAULT 0, publish_role TEXT NOT NULL DEFAULT 'editor')`,
  `CREATE INDEX environment_of_organisation ON environment (organisation_id, id)`,
  `CREATE INDEX environment_closed ON environment (closed_at, id) WHERE closed_at IS NOT NULL`,

  // settled_at: when sessions of a retired value had ended and its text was deleted.
  `CREATE TABLE secret (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, kind TEXT NOT NULL,
    hash TEXT NOT NULL, plain TEXT, sealed TEXT, created_at INTEGER NOT NULL, retires_at INTEGER, last_used_at INTEGER,
    settled_at INTEGER, warned_at INTEGER, PRIMARY KEY (environment_id, id))`,
  `CREATE UNIQUE INDEX secret_by_hash ON secret (kind, hash)`,
  `CREATE INDEX secret_of_environment ON secret (environment_id, kind, id)`,
  `CREATE INDEX secret_to_settle ON secret (retires_at) WHERE retires_at IS NOT NULL AND settled_at IS NULL`,

  // content: JSON of `ConfigContent`.
  `CREATE TABLE notification_config (id INTEGER PRIMARY KEY, organisation_id INTEGER NOT NULL, name TEXT NOT NULL,
    content TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0)`,
  `CREATE UNIQUE INDEX notification_config_by_name ON notification_config (organisation_id, name)`,
  `CREATE INDEX notification_config_of_organisation ON notification_config (organisation_id, id)`,

  `CREATE TABLE enricher (environment_id INTEGER NOT NULL, enricher_no IDENTITY, name TEXT NOT NULL, url TEXT NOT NULL,
    timeout_ms INTEGER NOT NULL, cache_seconds INTEGER NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, PRIMARY KEY (environment_id, enricher_no))`,
  `CREATE UNIQUE INDEX enricher_by_name ON enricher (environment_id, name)`,

  `CREATE TABLE text_file (environment_id INTEGER NOT NULL, section TEXT NOT NULL, name TEXT NOT NULL,
    content TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (environment_id, section, name)) CLUSTERED`,

  `CREATE TABLE audit_entry (number IDENTITY, at INTEGER NOT NULL, actor TEXT NOT NULL, who TEXT NOT NULL,
    action TEXT NOT NULL, environment_id INTEGER, subject TEXT NOT NULL, detail TEXT NOT NULL, organisation_id INTEGER,
    correlation_id TEXT)`,
  `CREATE INDEX audit_entry_of_environment ON audit_entry (environment_id, number)`,
  `CREATE INDEX audit_entry_of_organisation ON audit_entry (organisation_id, number) WHERE organisation_id IS NOT NULL`,

  `CREATE TABLE environment_erasure (environment_id INTEGER PRIMARY KEY, begun_at INTEGER NOT NULL)`,
]
