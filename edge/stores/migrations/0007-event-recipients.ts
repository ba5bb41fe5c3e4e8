// Stores the recipients of events with several users, to find events by user and to erase users (migration 7). Events
// for one user need no row: their own index finds them.

import type { Migration } from './migration.ts'

export const eventRecipients: Migration = {
  number: 7,
  oldestBinary: 1,
  statements: [
    // The user first: with few environments in the first column, statistics make SQLite skip over them and sort.
    `CREATE TABLE event_recipient (environment_id INTEGER NOT NULL, user_id TEXT NOT NULL, event_id INTEGER NOT NULL,
      PRIMARY KEY (user_id, environment_id, event_id)) CLUSTERED`,
    // `ITEMS` returns the texts of a JSON list, one row each, as `value.value` on both engines.
    `INSERT INTO event_recipient (environment_id, user_id, event_id)
      SELECT DISTINCT e.environment_id, value.value, e.id FROM tracked_event e CROSS JOIN ITEMS(e.user_ids) AS value WHERE e.user_ids IS NOT NULL`,
  ],
}
