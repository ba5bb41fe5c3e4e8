// Creates the tables of connector sources and their deliveries.

export const sources: string[] = [
  // The values of its secret are rows of `secret`, whose kind names the source.
  // How deliveries of the provider hmac are signed, as JSON; null of every other.
  `CREATE TABLE source (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, public_id TEXT NOT NULL,
    name TEXT NOT NULL, provider TEXT NOT NULL, is_paused INTEGER NOT NULL, mappings TEXT NOT NULL,
    require_v3 INTEGER NOT NULL, allow_unsigned_batch_tail INTEGER NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, revision INTEGER NOT NULL, last_received_at INTEGER, last_error_at INTEGER,
    last_error TEXT, accepted INTEGER NOT NULL, duplicates INTEGER NOT NULL, refused INTEGER NOT NULL,
    unreadable INTEGER NOT NULL, last_delivery INTEGER NOT NULL, dropped INTEGER NOT NULL DEFAULT 0, settings TEXT,
    PRIMARY KEY (environment_id, id))`,
  `CREATE UNIQUE INDEX source_by_public_id ON source (public_id)`,

  // A ring: a delivery replaces that of 200 deliveries before.
  `CREATE TABLE source_delivery (environment_id INTEGER NOT NULL, source_id INTEGER NOT NULL, place INTEGER NOT NULL,
    number INTEGER NOT NULL, at INTEGER NOT NULL, delivery_id TEXT, type TEXT, outcome TEXT NOT NULL, event_id INTEGER, reason TEXT,
    PRIMARY KEY (environment_id, source_id, place)) CLUSTERED`,
  `CREATE INDEX source_delivery_by_time ON source_delivery (at)`,

  // The last run of each source. mappings: of its begin, as JSON, so that a part that runs twice gives the same events.
  // after_at, after_body: the last body that was run. pace: bodies a minute; null: as many as there is time for. Clustered: SQLite takes no ON CONFLICT of a key with the rowid.
  `CREATE TABLE source_run (environment_id INTEGER NOT NULL, source_id INTEGER NOT NULL, job_id INTEGER NOT NULL,
    from_at INTEGER NOT NULL, to_at INTEGER NOT NULL, outcome TEXT, mappings TEXT NOT NULL,
    correlation_id TEXT NOT NULL, deliveries INTEGER NOT NULL, done INTEGER NOT NULL, accepted INTEGER NOT NULL,
    refused INTEGER NOT NULL, after_at INTEGER, after_body TEXT, started_at INTEGER NOT NULL, ended_at INTEGER,
    pace INTEGER, stopped_at INTEGER,
    PRIMARY KEY (environment_id, source_id)) CLUSTERED`,

  // body_id: the hash of the body, so that a repeat is kept once. headers: by name as JSON, without credentials.
  `CREATE TABLE source_body (environment_id INTEGER NOT NULL, source_id INTEGER NOT NULL, body_id TEXT NOT NULL,
    at INTEGER NOT NULL, bytes INTEGER NOT NULL, body TEXT NOT NULL, headers TEXT,
    PRIMARY KEY (environment_id, source_id, body_id))`,
  `CREATE INDEX source_body_in_order ON source_body (environment_id, source_id, at, body_id, bytes)`,
  // For retention, which also removes bodies whose source is gone.
  `CREATE INDEX source_body_by_time ON source_body (at)`,

  // Which items a body has, and whose they are: an erasure of a user removes the whole body. An id of the platform may come
  // in several bodies, and several times in one.
  `CREATE TABLE source_body_item (environment_id INTEGER NOT NULL, source_id INTEGER NOT NULL, body_id TEXT NOT NULL,
    place INTEGER NOT NULL, delivery_id TEXT NOT NULL, user_id TEXT, outcome TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (environment_id, source_id, body_id, place)) CLUSTERED`,
  `CREATE INDEX source_body_item_by_delivery ON source_body_item (environment_id, source_id, delivery_id)`,
  `CREATE INDEX source_body_item_of_user ON source_body_item (environment_id, user_id)`,
]
