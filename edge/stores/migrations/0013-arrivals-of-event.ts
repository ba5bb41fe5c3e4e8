// Migration 13: whether a run has yet to look at an event is asked when retention takes old ones (contract sections 6 and 7).

import type { Migration } from '../migrate.ts'

export const arrivalsOfEvent: Migration = {
  number: 13,
  oldestBinary: 1,
  statements: ['CREATE INDEX run_arrival_of_event ON run_arrival (event_id)'],
}
