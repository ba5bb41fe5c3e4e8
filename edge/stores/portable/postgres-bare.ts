// The bare store over PostgreSQL: one connection, beside nodes for an export, without any for an import.

import type { Clock } from '../../lib/clock.ts'
import { DATABASE_NOW } from '../postgres/lease.ts'
import { type Link, openLink } from '../postgres/link.ts'
import { plainSql } from '../postgres/prepare.ts'
import { createPostgresSql, POSTGRES } from '../postgres/sql.ts'
import { runTransaction } from '../postgres/transaction.ts'
import type { Sql } from '../sql/sql.ts'
import type { BareStore } from './bare-store.ts'

const OPEN_MS = 5000
/** Held by whoever imports: any number that no other program takes in this database, and migrations neither. */
const IMPORT_LOCK = 7_361_528_044

/** `alone` keeps other imports away until it is closed; servers are kept away by the mark of the import. */
export async function openBarePostgres(url: string, { alone }: { alone: boolean }): Promise<BareStore> {
  const link = await openLink({ url, deadlineMs: OPEN_MS })
  const sql = plainSql(link)
  try {
    // An export waits for its disk, a migration for its rows: neither is a process that froze.
    await sql.one(`SELECT set_config('idle_in_transaction_session_timeout', '0', false) AS set`)
    if (alone && !(await takeLock(sql))) throw new Error('Another import or migrate is at work on the database.')
  } catch (error) {
    link.destroy('not needed')
    throw error
  }
  return {
    transaction: (work) => runTransaction(link, work),
    engine: 'PostgreSQL',
    dialect: POSTGRES,
    snapshot: (work) => snapshot(link, work),
    hasTable: (inside, table) => hasTable(inside, table),
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
    // What has just been written is unknown to the planner until the server's own round, minutes later.
    async learnTables() {
      await link.query('ANALYZE', [], { prepare: false })
    },
    clockSkewMs: (clock) => readSkewMs(sql, clock),
    async isInUse() {
      if (!(await hasTable(sql, 'nodes'))) return false
      return (await sql.one(`SELECT 1 AS one FROM nodes WHERE leased_until > ${DATABASE_NOW} LIMIT 1`)) !== undefined
    },
    async close() {
      link.destroy('closed')
    },
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

/** As PostgreSQL itself writes it, quoted where that is needed. */
async function sequenceOf(sql: Sql, table: string, column: string): Promise<string> {
  const row = await sql.one<{ sequence: string | null }>('SELECT pg_get_serial_sequence(?, ?) AS sequence', [
    table,
    column,
  ])
  if (row?.sequence == null) throw new Error(`${table}.${column} has no sequence.`)
  return row.sequence
}

/** Every read sees the state at the first of them; nobody waits for anybody. */
async function snapshot<T>(link: Link, work: (sql: Sql) => Promise<T>): Promise<T> {
  await link.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', [], { prepare: false })
  try {
    return await work(createPostgresSql((text, params, kind) => link.query(text, params, kind)))
  } finally {
    await link.query('ROLLBACK', [], { prepare: false }).catch(() => {})
  }
}

/** Of three questions the quickest, which tells the most. */
async function readSkewMs(sql: Sql, clock: Clock): Promise<number> {
  let best = { tookMs: Number.POSITIVE_INFINITY, skewMs: 0 }
  for (let question = 0; question < 3; question++) {
    const before = clock.now()
    const row = await sql.one<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`)
    const tookMs = clock.now() - before
    if (tookMs < best.tookMs) best = { tookMs, skewMs: (row?.now ?? before) - before - tookMs / 2 }
  }
  return best.skewMs
}
