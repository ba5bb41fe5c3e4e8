// The tables of a PostgreSQL store, brought up to date by one process at a time; and what the store knows of itself.

import { randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { MIGRATIONS, type Migration, migrate } from '../migrate.ts'
import { refuseHalfImport } from '../portable/half-import.ts'
import type { Engine, Sql } from '../sql/sql.ts'
import { type Link, openLink } from './link.ts'
import { createPostgresSql, POSTGRES } from './sql.ts'
import { runTransaction } from './transaction.ts'

/** The lock that migrations hold: any number that no other program takes in this database. */
const LOCK = 7_361_528_043

export interface PrepareOptions {
  url: string
  clock: Clock
  log?: Pick<Log, 'info'> | undefined
  /** In place of this program's own. For tests. */
  migrations?: Migration[] | undefined
}

export interface StoreFacts {
  storeEpoch: string
  idFloor: number
}

const OPEN_MS = 5000

/** Creates or migrates the tables. Other processes wait meanwhile, or do it first; one that is killed leaves whole steps. */
export async function prepareStore(options: PrepareOptions): Promise<StoreFacts> {
  const link = await openLink({ url: options.url, deadlineMs: OPEN_MS })
  try {
    // Waits for another's migrations, however long they take. The lock goes with the connection.
    await link.query(
      "SELECT set_config('lock_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false)",
    )
    await link.query('SELECT pg_advisory_lock($1)', [LOCK])
    return await prepareLocked(link, options)
  } finally {
    link.destroy('done')
  }
}

async function prepareLocked(link: Link, { clock, log, migrations = MIGRATIONS }: PrepareOptions): Promise<StoreFacts> {
  const engine: Engine = { transaction: (work) => runTransaction(link, work) }
  const sql = plainSql(link)
  if (
    (await sql.one(`SELECT 1 AS one FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'meta'`)) !==
    undefined
  )
    await refuseHalfImport(sql)
  for (const number of await migrate(engine, POSTGRES, clock.now(), migrations))
    log?.info('migrated', { count: number })
  await sql.run(`INSERT INTO meta (name, value) VALUES ('store_epoch', ?) ON CONFLICT (name) DO NOTHING`, [
    randomBytes(5).toString('hex'),
  ])
  const epoch = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'store_epoch'`)
  const floor = await sql.one<{ floor: number }>('SELECT COALESCE(MAX(value), 0) AS floor FROM id_floor')
  return { storeEpoch: epoch?.value ?? '', idFloor: floor?.floor ?? 0 }
}

/** Each statement by itself, outside of any transaction. */
export function plainSql(link: Link): Sql {
  return createPostgresSql((text, params, kind) => link.query(text, params, kind))
}
