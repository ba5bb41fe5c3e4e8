// Indexes arrivals by event, because retention checks whether a run has yet to read an event (migration 13).

import type { Migration } from './migration.ts'

export const arrivalsOfEvent: Migration = {
  number: 13,
  oldestBinary: 1,
  statements: ['CREATE INDEX run_arrival_of_event ON run_arrival (event_id)'],
}
