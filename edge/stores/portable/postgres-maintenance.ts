// Opens the maintenance store of PostgreSQL on one connection. Nodes may run during an export, but not an import.

import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { migrate } from '../migrate.ts'
import { type Connection, openConnection } from '../postgres/connection.ts'
import { DATABASE_NOW } from '../postgres/lease.ts'
import { createMigrationEngine, withMigrationLock } from '../postgres/migrating.ts'
import { plainSql } from '../postgres/prepare.ts'
import { createPostgresSql, POSTGRES } from '../postgres/sql.ts'
import { runTransaction } from '../postgres/transaction.ts'
import { countAll, type Sql } from '../sql/sql.ts'
import type { MaintenanceStore } from './maintenance-store.ts'

const OPEN_DEADLINE_MS = 5000
/** The advisory lock of imports; no migration and no other program uses this number in the database. */
const IMPORT_LOCK = 7_361_528_044

/**
 * Opens the store. `exclusive` prevents other imports until it is closed; the import mark excludes servers.
 * @throws Error when the database is unreachable, or with `exclusive` another import runs.
 */
export async function openMaintenancePostgres(
  url: string,
  { exclusive }: { exclusive: boolean },
): Promise<MaintenanceStore> {
  const connection = await openConnection({ url, deadlineMs: OPEN_DEADLINE_MS })
  const sql = plainSql(connection)
  try {
    // An export may wait for its disk for a long time: the idle timeout must not end its transaction.
    await sql.one(`SELECT set_config('idle_in_transaction_session_timeout', '0', false) AS set`)
    if (exclusive && !(await takeLock(sql))) throw new Error('Another import or migrate works on the database.')
  } catch (error) {
    connection.destroy('not needed')
    throw error
  }
  return {
    transaction: (work) => runTransaction(connection, work),
    engine: 'PostgreSQL',
    migrate: (now, migrations) =>
      withMigrationLock(connection, () => migrate(createMigrationEngine(connection), POSTGRES, now, migrations)),
    snapshot: (work) => snapshot(connection, work),
    hasTable: (inside, table) => hasTable(inside, table),
    async countRows(inside, table) {
      const row = await inside.one<{ rows: number }>(
        `SELECT reltuples::bigint AS rows FROM pg_class WHERE oid = '${table}'::regclass AND reltuples >= 0`,
      )
      // The table has no statistics yet.
      return row?.rows ?? countAll(inside, table)
    },
    async readIdentity(inside, table, column) {
      const sequence = await sequenceOf(inside, table, column)
      const row = await inside.one<{ last: number }>(
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${sequence}`,
      )
      return row?.last ?? 0
    },
    async raiseIdentity(inside, table, column, value) {
      if (value === 0) return
      const sequence = await sequenceOf(inside, table, column)
      await inside.one(
        `SELECT setval('${sequence}', GREATEST(?::bigint, CASE WHEN is_called THEN last_value ELSE 1 END)) AS last FROM ${sequence}`,
        [value],
      )
    },
    settle: () => settle(sql),
    // The planner has no statistics on the new rows until autovacuum runs, minutes later.
    async updateStatistics() {
      await connection.query('ANALYZE', [], { prepare: false })
    },
    clockSkewMs: (clock) => readSkewMs(sql, clock),
    async isInUse() {
      if (!(await hasTable(sql, 'nodes'))) return false
      return (await sql.one(`SELECT 1 AS one FROM nodes WHERE leased_until > ${DATABASE_NOW} LIMIT 1`)) !== undefined
    },
    async close() {
      connection.destroy('closed')
    },
  }
}

const SETTLE_EVERY_MS = 50
/** Transactions of other connections to this database, also those that have written nothing yet. */
const RUNNING = `SELECT virtualtransaction AS name FROM pg_locks WHERE locktype = 'virtualxid' AND granted AND pid <> pg_backend_pid()
  AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`

/** Waits as CREATE INDEX CONCURRENTLY does. */
async function settle(sql: Sql): Promise<void> {
  const list = async () => (await sql.all<{ name: string }>(RUNNING)).map(({ name }) => name)
  let left = await list()
  while (left.length > 0) {
    await delay(SETTLE_EVERY_MS)
    const running = new Set(await list())
    left = left.filter((name) => running.has(name))
  }
}

async function takeLock(sql: Sql): Promise<boolean> {
  const row = await sql.one<{ got: boolean }>(`SELECT pg_try_advisory_lock(${IMPORT_LOCK}) AS got`)
  return row?.got === true
}

async function hasTable(sql: Sql, table: string): Promise<boolean> {
  const text = 'SELECT 1 AS one FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?'
  return (await sql.one(text, [table])) !== undefined
}

/** Returns the sequence name as PostgreSQL writes it, quoted where needed. */
async function sequenceOf(sql: Sql, table: string, column: string): Promise<string> {
  const row = await sql.one<{ sequence: string | null }>('SELECT pg_get_serial_sequence(?, ?) AS sequence', [
    table,
    column,
  ])
  if (row?.sequence == null) throw new Error(`sequence missing: ${table}.${column}`)
  return row.sequence
}

/** Runs reads in one snapshot, without locks. */
async function snapshot<T>(connection: Connection, work: (sql: Sql) => Promise<T>): Promise<T> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', [], { prepare: false })
  try {
    return await work(createPostgresSql((text, params, kind) => connection.query(text, params, kind)))
  } finally {
    await connection.query('ROLLBACK', [], { prepare: false }).catch(() => {})
  }
}

/** Measures three times, and returns the result of the fastest round trip, which is the most precise (ms). */
async function readSkewMs(sql: Sql, clock: Clock): Promise<number> {
  let best = { tookMs: Number.POSITIVE_INFINITY, skewMs: 0 }
  for (let attempt = 0; attempt < 3; attempt++) {
    const before = clock.now()
    const row = await sql.one<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`)
    const tookMs = clock.now() - before
    if (tookMs < best.tookMs) best = { tookMs, skewMs: (row?.now ?? before) - before - tookMs / 2 }
  }
  return best.skewMs
}
