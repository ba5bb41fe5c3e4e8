// Adds the index that finds events by their correlation id (migration 48).

import type { Migration } from './migration.ts'

export const eventsByCorrelation: Migration = {
  number: 48,
  oldestBinary: 1,
  // The ids that the service makes begin with the time, so that the index grows at its end.
  statements: [`CREATE INDEX tracked_event_by_correlation ON tracked_event (environment_id, correlation_id, id)`],
}
