// Gives a PostgreSQL store many events, and a later migration that makes an index of them.

import { runSql } from '../../test/support/servers.ts'
import { MIGRATIONS } from '../migrate.ts'

const INDEX = 'tracked_event_by_source'
const MIGRATION = 9001

export const WITH_INDEX = [
  ...MIGRATIONS,
  {
    number: MIGRATION,
    oldestBinary: 1,
    statements: [`CREATE INDEX ${INDEX} ON tracked_event (environment_id, source, id)`],
  },
]

/** The step of that migration in a plan. */
export const MISSING_STEP = {
  migration: MIGRATION,
  step: `CREATE INDEX ${INDEX} ON tracked_event`,
  table: 'tracked_event',
}

export async function addManyEvents(url: string, rows: number): Promise<void> {
  await runSql(
    url,
    `INSERT INTO tracked_event (id, environment_id, correlation_id, name, user_id, source, occurred_at, received_at, outcome, properties)
      SELECT n, 1, 'correlation-' || n, 'n', 'user-' || n % 1000, 'api', 1, 1, 'unmatched', '{}' FROM generate_series(1, ${rows}) AS n`,
    'ANALYZE tracked_event',
  )
}

/** Returns whether the index exists and is complete. */
export async function isIndexed(url: string): Promise<boolean> {
  return (await runSql(url, `SELECT indisvalid FROM pg_index WHERE indexrelid = '${INDEX}'::regclass`)) === 't'
}
