// Creates the tables of tracked events, of what is learned of them, and of doubts about them.

export const events: string[] = [
  `CREATE TABLE tracked_event (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, correlation_id TEXT NOT NULL,
    name TEXT NOT NULL, user_id TEXT, user_ids TEXT, topic TEXT, source TEXT NOT NULL, occurred_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL, outcome TEXT NOT NULL, considered TEXT, properties TEXT NOT NULL, raw TEXT,
    PRIMARY KEY (environment_id, id))`,
  `CREATE INDEX tracked_event_by_name ON tracked_event (environment_id, name, id)`,
  `CREATE INDEX tracked_event_by_user ON tracked_event (environment_id, user_id, id) WHERE user_id IS NOT NULL`,
  `CREATE INDEX tracked_event_by_correlation ON tracked_event (environment_id, correlation_id, id)`,

  `CREATE TABLE event_recipient (environment_id INTEGER NOT NULL, user_id TEXT NOT NULL, event_id INTEGER NOT NULL,
    PRIMARY KEY (environment_id, user_id, event_id)) CLUSTERED`,

  `CREATE TABLE idempotency (environment_id INTEGER NOT NULL, idempotency_key TEXT NOT NULL, body_hash TEXT NOT NULL,
    event_id INTEGER NOT NULL, correlation_id TEXT NOT NULL, received_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    PRIMARY KEY (environment_id, idempotency_key)) CLUSTERED`,
  `CREATE INDEX idempotency_by_expiry ON idempotency (expires_at)`,

  // What is learned of events: sampled: those whose properties were read. place: the last time (ms) and three digits.
  // present: sampled events that had the path; strings and so on: with a value of that type there.
  `CREATE TABLE event_name (environment_id INTEGER NOT NULL, name TEXT NOT NULL, events INTEGER NOT NULL,
    sampled INTEGER NOT NULL, is_cut INTEGER NOT NULL, first_at INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (environment_id, name)) CLUSTERED`,
  `CREATE INDEX event_name_in_order ON event_name (environment_id, place)`,
  `CREATE TABLE event_path (environment_id INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL,
    present INTEGER NOT NULL, strings INTEGER NOT NULL, numbers INTEGER NOT NULL, booleans INTEGER NOT NULL,
    nulls INTEGER NOT NULL, objects INTEGER NOT NULL, arrays INTEGER NOT NULL, last_at INTEGER NOT NULL,
    PRIMARY KEY (environment_id, name, path)) CLUSTERED`,

  // doubt_id: of kind, subject and message, so that nodes add to one count. place: the last time (ms) and three digits.
  // user_id: whose data the example has.
  `CREATE TABLE doubt (environment_id INTEGER NOT NULL, doubt_id TEXT NOT NULL, kind TEXT NOT NULL,
    subject_type TEXT NOT NULL, subject_id TEXT NOT NULL, message TEXT NOT NULL, example TEXT, user_id TEXT,
    count INTEGER NOT NULL, first_at INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (environment_id, doubt_id)) CLUSTERED`,
  `CREATE INDEX doubt_in_order ON doubt (environment_id, place)`,
  `CREATE INDEX doubt_of_user ON doubt (environment_id, user_id)`,
  `CREATE INDEX doubt_by_time ON doubt (place)`,
]
