// Gives a PostgreSQL store many events without one of their indexes, as before the migration that makes it.

import { runSql } from '../../test/support/servers.ts'

const INDEX = 'tracked_event_by_correlation'
const MIGRATION = 48

/** The step of that migration in a plan. */
export const MISSING_STEP = {
  migration: MIGRATION,
  step: `CREATE INDEX ${INDEX} ON tracked_event`,
  table: 'tracked_event',
}

export async function addUnindexedEvents(url: string, rows: number): Promise<void> {
  await runSql(
    url,
    `INSERT INTO tracked_event (id, environment_id, correlation_id, name, user_id, source, occurred_at, received_at, outcome, properties)
      SELECT n, 1, 'correlation-' || n, 'n', 'user-' || n % 1000, 'api', 1, 1, 'unmatched', '{}' FROM generate_series(1, ${rows}) AS n`,
    'ANALYZE tracked_event',
    `DROP INDEX ${INDEX}`,
    `DELETE FROM migration WHERE number = ${MIGRATION}`,
  )
}

/** Returns whether the index exists and is complete. */
export async function isIndexed(url: string): Promise<boolean> {
  return (await runSql(url, `SELECT indisvalid FROM pg_index WHERE indexrelid = '${INDEX}'::regclass`)) === 't'
}
