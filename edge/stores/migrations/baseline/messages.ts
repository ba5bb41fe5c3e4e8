// Creates the tables of messages, inboxes, delivery events and their statistics.

export const messages: string[] = [
  // What never changes of a message. Only the content of a mail does, once: secrets of its links leave it when it is sent.
  `CREATE TABLE message (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, user_no INTEGER NOT NULL,
    run_id INTEGER NOT NULL, event_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, version INTEGER NOT NULL,
    branch TEXT, step_id TEXT NOT NULL, correlation_id TEXT NOT NULL, created_at INTEGER NOT NULL,
    snapshot TEXT NOT NULL, PRIMARY KEY (environment_id, id))`,
  `CREATE INDEX message_of_run ON message (run_id)`,
  `CREATE INDEX message_of_campaign ON message (environment_id, campaign_id, id)`,
  `CREATE INDEX message_of_event ON message (environment_id, event_id, id)`,
  `CREATE INDEX message_by_correlation ON message (environment_id, correlation_id, id)`,
  // Contains the uncommon messages; the primary key finds the others.
  `CREATE INDEX message_by_branch ON message (environment_id, branch, id) WHERE branch IS NOT NULL`,

  // What changes of a message, of every channel. No index contains what a report changes, so that PostgreSQL writes
  // none (docs/decisions/0044-message-and-state.md). section: sql/commit/list-section.ts. seq: 0 when it was never in
  // an inbox. due_at: when its snooze or its lifetime ends, whichever is first.
  `CREATE TABLE inbox_item (environment_id INTEGER NOT NULL, message_id INTEGER NOT NULL, user_no INTEGER NOT NULL,
    seq INTEGER NOT NULL, section INTEGER NOT NULL, channel TEXT NOT NULL, status TEXT NOT NULL, status_reason TEXT,
    category TEXT, entity TEXT, collapse_key TEXT, is_test INTEGER NOT NULL, delivered_at INTEGER, expires_at INTEGER,
    due_at INTEGER, unopened INTEGER NOT NULL, read_at INTEGER, opened_at INTEGER, clicked_at INTEGER,
    archived_at INTEGER, snoozed_until INTEGER, removed_at INTEGER,
    PRIMARY KEY (environment_id, message_id)) CLUSTERED WITH ROOM`,
  // Serves every page, the changes and the read-all.
  `CREATE INDEX inbox_item_in_order ON inbox_item (user_no, section, seq)`,
  `CREATE INDEX inbox_item_by_collapse_key ON inbox_item (user_no, collapse_key)
    WHERE collapse_key IS NOT NULL AND removed_at IS NULL`,
  `CREATE INDEX inbox_item_by_entity ON inbox_item (user_no, entity) WHERE entity IS NOT NULL AND removed_at IS NULL`,
  `CREATE INDEX inbox_item_due ON inbox_item (due_at) WHERE due_at IS NOT NULL`,
  // Contains the uncommon messages: all but those that an inbox has received.
  `CREATE INDEX inbox_item_by_status ON inbox_item (environment_id, channel, status, message_id, status_reason, is_test)
    WHERE channel <> 'inbox' OR status <> 'delivered'`,

  // What is reported. The delivery itself is delivered_at. The environment and type come first: history finds by them.
  `CREATE TABLE delivery_event (environment_id INTEGER NOT NULL, event_type TEXT NOT NULL, message_id INTEGER NOT NULL,
    occurred_at INTEGER NOT NULL, recorded_at INTEGER NOT NULL, implied INTEGER NOT NULL, automated INTEGER NOT NULL,
    source TEXT NOT NULL, link TEXT, PRIMARY KEY (environment_id, event_type, message_id)) CLUSTERED`,

  // floor: changes at or below it may be missing from the log.
  `CREATE TABLE inbox_head (environment_id INTEGER NOT NULL, user_no INTEGER NOT NULL, seq INTEGER NOT NULL,
    unread INTEGER NOT NULL, unopened INTEGER NOT NULL, floor INTEGER NOT NULL, PRIMARY KEY (environment_id, user_no)) CLUSTERED WITH ROOM`,

  // Updates (patch) and removes (null); an add is the message itself, found by its seq.
  `CREATE TABLE inbox_change (environment_id INTEGER NOT NULL, user_no INTEGER NOT NULL, seq INTEGER NOT NULL,
    message_id INTEGER NOT NULL, patch TEXT, PRIMARY KEY (environment_id, user_no, seq)) CLUSTERED`,

  // hour: epoch hour of the delivery, -1 for all time; branch: '' for none; slot: the node that counts.
  `CREATE TABLE funnel (environment_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, channel TEXT NOT NULL,
    hour INTEGER NOT NULL, version INTEGER NOT NULL, branch TEXT NOT NULL, step_id TEXT NOT NULL, slot INTEGER NOT NULL,
    deliveries INTEGER NOT NULL, reads INTEGER NOT NULL, opens INTEGER NOT NULL, clicks INTEGER NOT NULL,
    PRIMARY KEY (environment_id, campaign_id, channel, hour, version, branch, step_id, slot)) CLUSTERED`,

  // Counts of purged messages: with the stored messages they must give the counters (hourly keys only).
  `CREATE TABLE funnel_purged (environment_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, channel TEXT NOT NULL,
    hour INTEGER NOT NULL, version INTEGER NOT NULL, branch TEXT NOT NULL, step_id TEXT NOT NULL, slot INTEGER NOT NULL,
    deliveries INTEGER NOT NULL, reads INTEGER NOT NULL, opens INTEGER NOT NULL, clicks INTEGER NOT NULL,
    PRIMARY KEY (environment_id, campaign_id, channel, hour, version, branch, step_id, slot)) CLUSTERED`,

  // Runs, and what became of them at each step (domain/delivery/step-counts.ts). hour: epoch hour, -1 for what waits now;
  // hours of more than a month ago are removed.
  `CREATE TABLE step_count (environment_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, hour INTEGER NOT NULL,
    version INTEGER NOT NULL, step_id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, slot INTEGER NOT NULL,
    counted INTEGER NOT NULL, PRIMARY KEY (environment_id, campaign_id, hour, version, step_id, kind, name, slot)) CLUSTERED`,

  // Counts of purged runs and messages: with the stored ones they must give the counters.
  `CREATE TABLE step_purged (environment_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, hour INTEGER NOT NULL,
    version INTEGER NOT NULL, step_id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, slot INTEGER NOT NULL,
    counted INTEGER NOT NULL, PRIMARY KEY (environment_id, campaign_id, hour, version, step_id, kind, name, slot)) CLUSTERED`,
]
