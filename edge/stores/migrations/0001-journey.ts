// Creates all tables of the journey (migration 1). INTEGER is a 64-bit integer; `IDENTITY` a number that the store
// generates and never reuses.

import type { Migration } from './migration.ts'

export const journey: Migration = {
  number: 1,
  oldestBinary: 1,
  statements: [
    `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
    `CREATE TABLE id_floor (slot INTEGER PRIMARY KEY, value INTEGER NOT NULL)`,

    `CREATE TABLE organisation (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT, onboarded_at INTEGER,
      retention_days INTEGER NOT NULL, created_at INTEGER NOT NULL)`,
    `CREATE TABLE member (organisation_id INTEGER NOT NULL, email TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL,
      password_hash TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (organisation_id, email))`,
    `CREATE TABLE environment (id INTEGER PRIMARY KEY, organisation_id INTEGER NOT NULL, name TEXT NOT NULL,
      is_production INTEGER NOT NULL, allowed_origins TEXT NOT NULL, require_expiring_tokens INTEGER NOT NULL,
      sdk_key_may_manage INTEGER NOT NULL, identity_provider TEXT, public_key TEXT, disabled_at INTEGER, created_at INTEGER NOT NULL)`,
    `CREATE INDEX environment_of_organisation ON environment (organisation_id, id)`,
    `CREATE TABLE secret (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, kind TEXT NOT NULL, hash TEXT NOT NULL,
      plain TEXT, sealed TEXT, created_at INTEGER NOT NULL, retires_at INTEGER, last_used_at INTEGER)`,
    `CREATE UNIQUE INDEX secret_by_hash ON secret (kind, hash)`,
    `CREATE INDEX secret_of_environment ON secret (environment_id, kind, id)`,

    `CREATE TABLE app_user (user_no IDENTITY, environment_id INTEGER NOT NULL, user_id TEXT NOT NULL, email TEXT, name TEXT,
      locale TEXT, time_zone TEXT, attributes TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX app_user_by_id ON app_user (environment_id, user_id)`,
    // Users whose data are being removed: an interrupted erasure continues at the next start.
    `CREATE TABLE erasure (user_no INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, user_id TEXT NOT NULL, begun_at INTEGER NOT NULL)`,
    `CREATE TABLE topic (topic_no IDENTITY, environment_id INTEGER NOT NULL, topic_key TEXT NOT NULL,
      last_place INTEGER NOT NULL, created_at INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX topic_by_key ON topic (environment_id, topic_key)`,
    `CREATE TABLE topic_subscriber (topic_no INTEGER NOT NULL, place INTEGER NOT NULL, user_no INTEGER NOT NULL,
      PRIMARY KEY (topic_no, place)) CLUSTERED`,
    `CREATE UNIQUE INDEX topic_subscriber_once ON topic_subscriber (user_no, topic_no)`,
    `CREATE TABLE session (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, user_no INTEGER NOT NULL, user_id TEXT NOT NULL,
      credential TEXT NOT NULL, front_key_id INTEGER NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, ended_at INTEGER)`,
    `CREATE INDEX session_of_user ON session (user_no)`,
    `CREATE INDEX session_of_credential ON session (environment_id, credential)`,
    `CREATE INDEX session_of_front_key ON session (environment_id, front_key_id)`,
    `CREATE INDEX session_by_expiry ON session (expires_at)`,

    `CREATE TABLE campaign (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, campaign_key TEXT NOT NULL, name TEXT NOT NULL,
      category TEXT, status TEXT NOT NULL, current_version INTEGER, draft TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX campaign_by_key ON campaign (environment_id, campaign_key)`,
    `CREATE INDEX campaign_of_environment ON campaign (environment_id, id)`,
    `CREATE TABLE campaign_version (campaign_id INTEGER NOT NULL, version INTEGER NOT NULL, published_at INTEGER NOT NULL,
      definition TEXT NOT NULL, PRIMARY KEY (campaign_id, version))`,

    `CREATE TABLE idempotency (environment_id INTEGER NOT NULL, idempotency_key TEXT NOT NULL, body_hash TEXT NOT NULL,
      event_id INTEGER NOT NULL, correlation_id TEXT NOT NULL, received_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
      PRIMARY KEY (environment_id, idempotency_key)) CLUSTERED`,
    `CREATE INDEX idempotency_by_expiry ON idempotency (expires_at)`,
    `CREATE TABLE tracked_event (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, correlation_id TEXT NOT NULL, name TEXT NOT NULL,
      user_id TEXT, user_ids TEXT, topic TEXT, source TEXT NOT NULL, occurred_at INTEGER NOT NULL, received_at INTEGER NOT NULL,
      outcome TEXT NOT NULL, considered TEXT, properties TEXT NOT NULL)`,
    `CREATE INDEX tracked_event_of_environment ON tracked_event (environment_id, id)`,
    `CREATE INDEX tracked_event_by_name ON tracked_event (environment_id, name, id)`,
    `CREATE INDEX tracked_event_by_user ON tracked_event (environment_id, user_id, id) WHERE user_id IS NOT NULL`,
    `CREATE TABLE run (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, event_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL,
      version INTEGER NOT NULL, branch TEXT, user_no INTEGER NOT NULL, user_id TEXT NOT NULL, state TEXT NOT NULL, state_reason TEXT,
      is_test INTEGER NOT NULL, correlation_id TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER, has_message INTEGER NOT NULL,
      trace TEXT NOT NULL)`,
    `CREATE INDEX run_of_event ON run (event_id)`,
    // Runs with a message are found by the message: an index over all runs would cost a page for each event.
    `CREATE INDEX run_without_message ON run (user_no) WHERE has_message = 0`,

    // shelf: the list section of the message (sql/commit/list-section.ts). One index serves every page, the changes
    // and the read-all.
    `CREATE TABLE message (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, user_no INTEGER NOT NULL, seq INTEGER NOT NULL,
      shelf INTEGER NOT NULL, run_id INTEGER NOT NULL, event_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, version INTEGER NOT NULL,
      branch TEXT, step_id TEXT NOT NULL, channel TEXT NOT NULL, status TEXT NOT NULL, status_reason TEXT, correlation_id TEXT NOT NULL,
      category TEXT, entity TEXT, collapse_key TEXT, is_test INTEGER NOT NULL, created_at INTEGER NOT NULL, delivered_at INTEGER,
      expires_at INTEGER, unopened INTEGER NOT NULL, read_at INTEGER, opened_at INTEGER, clicked_at INTEGER, archived_at INTEGER,
      snoozed_until INTEGER, removed_at INTEGER, snapshot TEXT NOT NULL)`,
    `CREATE INDEX message_of_inbox ON message (user_no, shelf, seq)`,
    `CREATE INDEX message_of_run ON message (run_id)`,
    `CREATE INDEX message_by_collapse_key ON message (user_no, collapse_key) WHERE collapse_key IS NOT NULL AND removed_at IS NULL`,
    `CREATE INDEX message_by_entity ON message (user_no, entity) WHERE entity IS NOT NULL AND removed_at IS NULL`,
    `CREATE INDEX message_by_expiry ON message (expires_at) WHERE expires_at IS NOT NULL AND removed_at IS NULL`,
    `CREATE INDEX message_by_snooze ON message (snoozed_until) WHERE snoozed_until IS NOT NULL AND removed_at IS NULL`,
    `CREATE TABLE delivery_event (message_id INTEGER NOT NULL, event_type TEXT NOT NULL, occurred_at INTEGER NOT NULL, recorded_at INTEGER NOT NULL,
      implied INTEGER NOT NULL, automated INTEGER NOT NULL, source TEXT NOT NULL, link TEXT, PRIMARY KEY (message_id, event_type)) CLUSTERED`,

    // floor: changes at or below it may be missing from the log.
    `CREATE TABLE inbox_head (user_no INTEGER PRIMARY KEY, seq INTEGER NOT NULL, unread INTEGER NOT NULL, unopened INTEGER NOT NULL, floor INTEGER NOT NULL)`,
    // Updates (patch) and removes (null); an add is the message itself, found by its seq.
    `CREATE TABLE inbox_change (user_no INTEGER NOT NULL, seq INTEGER NOT NULL, message_id INTEGER NOT NULL, patch TEXT,
      PRIMARY KEY (user_no, seq)) CLUSTERED`,

    // hour: epoch hour of the delivery, -1 for all time; branch: '' for none; slot: the node that counts.
    `CREATE TABLE funnel (campaign_id INTEGER NOT NULL, channel TEXT NOT NULL, hour INTEGER NOT NULL, version INTEGER NOT NULL, branch TEXT NOT NULL,
      slot INTEGER NOT NULL, deliveries INTEGER NOT NULL, reads INTEGER NOT NULL, opens INTEGER NOT NULL, clicks INTEGER NOT NULL,
      PRIMARY KEY (campaign_id, channel, hour, version, branch, slot)) CLUSTERED`,
    // Counts of purged messages: with the stored messages they must give the counters (hourly keys only).
    `CREATE TABLE funnel_purged (campaign_id INTEGER NOT NULL, channel TEXT NOT NULL, hour INTEGER NOT NULL, version INTEGER NOT NULL, branch TEXT NOT NULL,
      slot INTEGER NOT NULL, deliveries INTEGER NOT NULL, reads INTEGER NOT NULL, opens INTEGER NOT NULL, clicks INTEGER NOT NULL,
      PRIMARY KEY (campaign_id, channel, hour, version, branch, slot)) CLUSTERED`,

    // due_at: when it may be claimed next (its time, or the end of a lease); null when dead.
    `CREATE TABLE job (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, run_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL, due_at INTEGER, attempts INTEGER NOT NULL, fence INTEGER NOT NULL, error TEXT)`,
    `CREATE INDEX job_due ON job (due_at, id) WHERE due_at IS NOT NULL`,
  ],
}
