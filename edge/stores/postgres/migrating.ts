// Runs migrations on a PostgreSQL store that other nodes serve: one process at a time, with short waits for locks, and
// with indexes of existing tables made CONCURRENTLY.

import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../lib/log.ts'
import type { MigrationEngine } from '../migrate.ts'
import type { LateIndex } from '../migrations/migration.ts'
import type { Connection } from './connection.ts'
import { codeOf } from './faults.ts'
import { runTransaction } from './transaction.ts'

/**
 * The advisory lock of one migration. Earlier releases hold it through all of theirs, and wait for it inside a
 * statement. Such a statement would wait for an index that waits for it, so it is not held while one is made.
 */
const STEP_LOCK = 7_361_528_043
/** The advisory lock of the process that migrates. It is asked for again and again, never awaited in a statement. */
const RUN_LOCK = 7_361_528_045
const ASK_AGAIN_MS = 100
/** While a statement waits for the lock of a table, all later statements on that table wait behind it. */
const LOCK_WAIT_MS = 100
/** Others go on for this time before the next attempt. */
const PAUSE_MS = 400
/** An attempt that others held up for longer is logged. */
const QUIET_ATTEMPTS = 10
const SIMPLE = { prepare: false }

/** Runs work in one process at a time. Waits for other processes however long; the lock ends with the connection. */
export async function withMigrationLock<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query(
    "SELECT set_config('lock_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false)",
  )
  const isFree = async () => {
    const [row] = await connection.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [RUN_LOCK])
    return row?.got === true
  }
  while (!(await isFree())) await delay(ASK_AGAIN_MS)
  try {
    return await work()
  } finally {
    await connection.query('SELECT pg_advisory_unlock($1)', [RUN_LOCK]).catch(() => {})
  }
}

/** Creates the engine of `migrate`; the caller holds the migration lock. */
export function createMigrationEngine(connection: Connection, log?: Pick<Log, 'info'>): MigrationEngine {
  return {
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(connection, async (sql) => {
            await sql.one(`SELECT set_config('lock_timeout', '${LOCK_WAIT_MS}', true) AS set`)
            await sql.one(`SELECT pg_advisory_xact_lock(${STEP_LOCK}) AS got`)
            return work(sql)
          })
        } catch (error) {
          if (!isLockTimeout(error)) throw error
          if (attempt === QUIET_ATTEMPTS) log?.info('a migration waits for the locks of others')
          await delay(PAUSE_MS)
        }
      }
    },
    makeIndex: (index) => makeIndex(connection, index, log),
  }
}

const isLockTimeout = (error: unknown) => codeOf(error) === '55P03'

/** Makes the index without a lock against writes. What a broken attempt left is removed first. */
async function makeIndex(connection: Connection, { name, statement }: LateIndex, log?: Pick<Log, 'info'>) {
  const [found] = await connection.query<{ valid: boolean }>(
    `SELECT i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace`,
    [name],
  )
  if (found?.valid === true) return
  log?.info('an index is being made', { reason: name })
  if (found !== undefined) await connection.query(`DROP INDEX CONCURRENTLY ${name}`, [], SIMPLE)
  await connection.query(statement.replace(/\bINDEX\b/, 'INDEX CONCURRENTLY'), [], SIMPLE)
}
