// Migrates the tables of a PostgreSQL store, one process at a time, and reads the store's epoch and id floor.

import { randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { refuseUnfinishedImport } from '../portable/unfinished-import.ts'
import type { Sql } from '../sql/sql.ts'
import { type Connection, openConnection } from './connection.ts'
import { createMigrationEngine, withMigrationLock } from './migrating.ts'
import { createPostgresSql, POSTGRES } from './sql.ts'

export interface PrepareOptions {
  url: string
  clock: Clock
  log?: Pick<Log, 'info'> | undefined
  /** Replaces the migrations of this program. For tests. */
  migrations?: Migration[] | undefined
}

export interface StoreFacts {
  storeEpoch: string
  idFloor: number
}

const OPEN_MS = 5000

/**
 * Creates or migrates the tables. Other processes wait meanwhile; a killed one leaves complete migrations.
 * @throws Error when a newer program changed the tables, or an import is unfinished; the errors of PostgreSQL.
 */
export async function prepareStore(options: PrepareOptions): Promise<StoreFacts> {
  const connection = await openConnection({ url: options.url, deadlineMs: OPEN_MS })
  try {
    return await withMigrationLock(connection, () => prepareLocked(connection, options))
  } finally {
    connection.destroy('done')
  }
}

async function prepareLocked(
  connection: Connection,
  { clock, log, migrations = MIGRATIONS }: PrepareOptions,
): Promise<StoreFacts> {
  const sql = plainSql(connection)
  if (
    (await sql.one(`SELECT 1 AS one FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'meta'`)) !==
    undefined
  )
    await refuseUnfinishedImport(sql)
  const engine = createMigrationEngine(connection, log)
  for (const number of await migrate(engine, POSTGRES, clock.now(), migrations))
    log?.info('migrated', { count: number })
  await sql.run(`INSERT INTO meta (name, value) VALUES ('store_epoch', ?) ON CONFLICT (name) DO NOTHING`, [
    randomBytes(5).toString('hex'),
  ])
  const epoch = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'store_epoch'`)
  const floor = await sql.one<{ floor: number }>('SELECT COALESCE(MAX(value), 0) AS floor FROM id_floor')
  return { storeEpoch: epoch?.value ?? '', idFloor: floor?.floor ?? 0 }
}

/** Runs each statement alone, outside of a transaction. */
export function plainSql(connection: Connection): Sql {
  return createPostgresSql((text, params, kind) => connection.query(text, params, kind))
}
