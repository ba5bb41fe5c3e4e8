// Creates the tables of messages, inboxes, delivery events and their statistics.

/** The engagement level of a recipient; queries must use the same expression as the index. */
export const ENGAGEMENT_LEVEL =
  'CASE WHEN clicked_at IS NOT NULL THEN 3 WHEN opened_at IS NOT NULL THEN 2 WHEN read_at IS NOT NULL THEN 1 ELSE 0 END'

export const messages: string[] = [
  // section: the list section of the message (sql/commit/list-section.ts). One index serves every page, the changes
  // and the read-all.
  `CREATE TABLE message (id INTEGER PRIMARY KEY, environment_id INTEGER NOT NULL, user_no INTEGER NOT NULL,
    seq INTEGER NOT NULL, section INTEGER NOT NULL, run_id INTEGER NOT NULL, event_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL, version INTEGER NOT NULL, branch TEXT, step_id TEXT NOT NULL, channel TEXT NOT NULL,
    status TEXT NOT NULL, status_reason TEXT, correlation_id TEXT NOT NULL, category TEXT, entity TEXT,
    collapse_key TEXT, is_test INTEGER NOT NULL, created_at INTEGER NOT NULL, delivered_at INTEGER, expires_at INTEGER,
    unopened INTEGER NOT NULL, read_at INTEGER, opened_at INTEGER, clicked_at INTEGER, archived_at INTEGER,
    snoozed_until INTEGER, removed_at INTEGER, snapshot TEXT NOT NULL)`,
  `CREATE INDEX message_of_inbox ON message (user_no, section, seq)`,
  `CREATE INDEX message_of_run ON message (run_id)`,
  `CREATE INDEX message_by_collapse_key ON message (user_no, collapse_key)
    WHERE collapse_key IS NOT NULL AND removed_at IS NULL`,
  `CREATE INDEX message_by_entity ON message (user_no, entity) WHERE entity IS NOT NULL AND removed_at IS NULL`,
  `CREATE INDEX message_by_expiry ON message (expires_at) WHERE expires_at IS NOT NULL AND removed_at IS NULL`,
  `CREATE INDEX message_by_snooze ON message (snoozed_until) WHERE snoozed_until IS NOT NULL AND removed_at IS NULL`,
  `CREATE INDEX message_of_environment ON message (environment_id, id)`,
  `CREATE INDEX message_of_campaign ON message (environment_id, campaign_id, id)`,
  `CREATE INDEX message_of_event ON message (environment_id, event_id, id)`,
  `CREATE INDEX message_by_correlation ON message (environment_id, correlation_id, id)`,
  // These indexes contain uncommon values only; the others find common ones (delivered, not yet read, before any
  // branch).
  `CREATE INDEX message_by_branch ON message (environment_id, branch, id) WHERE branch IS NOT NULL`,
  `CREATE INDEX message_undelivered ON message (environment_id, status, id) WHERE status <> 'delivered'`,
  `CREATE INDEX message_by_engagement ON message (environment_id, (${ENGAGEMENT_LEVEL}), id) WHERE read_at IS NOT NULL`,
  // Contains uncommon values only. The id bounds the window, because ids rise with time.
  `CREATE INDEX message_by_outcome ON message (environment_id, channel, status, id, status_reason)
    WHERE status IN ('skipped', 'failed') AND is_test = 0`,
  // Messages of the inbox are the common ones: those are found in the order of the environment, and cost nothing here.
  `CREATE INDEX message_by_channel ON message (environment_id, channel, id) WHERE channel <> 'inbox'`,

  `CREATE TABLE delivery_event (message_id INTEGER NOT NULL, event_type TEXT NOT NULL, occurred_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL, implied INTEGER NOT NULL, automated INTEGER NOT NULL, source TEXT NOT NULL, link TEXT,
    PRIMARY KEY (message_id, event_type)) CLUSTERED`,

  // floor: changes at or below it may be missing from the log.
  `CREATE TABLE inbox_head (user_no INTEGER PRIMARY KEY, seq INTEGER NOT NULL, unread INTEGER NOT NULL,
    unopened INTEGER NOT NULL, floor INTEGER NOT NULL)`,

  // Updates (patch) and removes (null); an add is the message itself, found by its seq.
  `CREATE TABLE inbox_change (user_no INTEGER NOT NULL, seq INTEGER NOT NULL, message_id INTEGER NOT NULL, patch TEXT,
    PRIMARY KEY (user_no, seq)) CLUSTERED`,

  // hour: epoch hour of the delivery, -1 for all time; branch: '' for none; slot: the node that counts.
  `CREATE TABLE funnel (campaign_id INTEGER NOT NULL, channel TEXT NOT NULL, hour INTEGER NOT NULL,
    version INTEGER NOT NULL, branch TEXT NOT NULL, slot INTEGER NOT NULL, deliveries INTEGER NOT NULL,
    reads INTEGER NOT NULL, opens INTEGER NOT NULL, clicks INTEGER NOT NULL,
    PRIMARY KEY (campaign_id, channel, hour, version, branch, slot)) CLUSTERED`,

  // Counts of purged messages: with the stored messages they must give the counters (hourly keys only).
  `CREATE TABLE funnel_purged (campaign_id INTEGER NOT NULL, channel TEXT NOT NULL, hour INTEGER NOT NULL,
    version INTEGER NOT NULL, branch TEXT NOT NULL, slot INTEGER NOT NULL, deliveries INTEGER NOT NULL,
    reads INTEGER NOT NULL, opens INTEGER NOT NULL, clicks INTEGER NOT NULL,
    PRIMARY KEY (campaign_id, channel, hour, version, branch, slot)) CLUSTERED`,
]
