// Adds the bodies of deliveries as they came, and the count of items that a pause dropped (migration 41).

import type { Migration } from './migration.ts'

export const deliveryBodies: Migration = {
  number: 41,
  oldestBinary: 1,
  statements: [
    `ALTER TABLE source ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0`,
    // How deliveries of the provider hmac are signed, as JSON; null of every other.
    `ALTER TABLE source ADD COLUMN settings TEXT`,
    // body_id: the hash of the body, so that a repeat is kept once.
    `CREATE TABLE source_body (source_id INTEGER NOT NULL, body_id TEXT NOT NULL, environment_id INTEGER NOT NULL,
      at INTEGER NOT NULL, bytes INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (source_id, body_id)) CLUSTERED`,
    `CREATE INDEX source_body_in_order ON source_body (source_id, at, body_id)`,
    `CREATE INDEX source_body_of_environment ON source_body (environment_id, at, bytes)`,
    `CREATE INDEX source_body_by_time ON source_body (at)`,
    // Which items a body has, and whose they are: an erasure of a user removes the whole body.
    `CREATE TABLE source_body_item (source_id INTEGER NOT NULL, delivery_id TEXT NOT NULL, body_id TEXT NOT NULL,
      environment_id INTEGER NOT NULL, user_id TEXT, outcome TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (source_id, delivery_id)) CLUSTERED`,
    `CREATE INDEX source_body_item_of_body ON source_body_item (source_id, body_id)`,
    `CREATE INDEX source_body_item_of_user ON source_body_item (environment_id, user_id)`,
    `CREATE INDEX source_body_item_by_time ON source_body_item (at)`,
  ],
}
