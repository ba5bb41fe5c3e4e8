// Indexes the runs of an event by id, so that a page reads only its own rows (migration 18).

import type { Migration } from './migration.ts'

export const runsOfEvent: Migration = {
  number: 18,
  // Any program that knows the tables works on them.
  oldestBinary: 17,
  statements: ['DROP INDEX run_of_event', 'CREATE INDEX run_of_event ON run (event_id, id)'],
}
