// Work on a SQLite store from the command line, also while a server has it open: no lock, no threads, short transactions (contract sections 6 and 11).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Funnels } from '../domain/delivery/funnel.ts'
import type { Commit, DeliveryOutcome, InboxOutcome, TrackOutcome } from '../domain/plan.ts'
import type { Stores } from '../domain/stores.ts'
import type { Clock } from '../lib/clock.ts'
import { knownTables, readTables } from './migrate.ts'
import { refuseHalfImport } from './portable/half-import.ts'
import { type Batch, runBatch, type Settled } from './sql/commit/run-batch.ts'
import { createUserNumbers } from './sql/commit/user-numbers.ts'
import type { Plan } from './sql/commit.ts'
import type { Sql } from './sql/sql.ts'
import { bindWrites, createPorts, runWrite } from './sql/stores.ts'
import type { SqliteOptions } from './sqlite.ts'
import { isStoreFault, loadDriver } from './sqlite-driver.ts'
import { openConnection } from './sqlite-open.ts'
import { createSqliteEngine, createSqliteSql } from './sqlite-sql.ts'

/** 2 MiB: a fraction of what a full disk gets back as its ballast. */
const CHECKPOINT_PAGES = 500

type BesideOptions = Omit<SqliteOptions, 'queue'>

/**
 * All ports, for a process beside the server. Each write is a transaction of its own that waits for the server's writer,
 * and leaves a notice that the server hears within a second. Throws a text for the operator when there is no store, or
 * one of another version.
 */
export async function openSqliteBeside(options: BesideOptions): Promise<Stores> {
  const path = join(options.dataDir, 'store.db')
  if (!existsSync(path))
    throw new Error(`There is no store in ${options.dataDir}. Start the server once, or set DATA_DIR.`)
  const driver = await loadDriver(options.driver)
  const connection = openConnection(driver, path, 'reader')
  // The server's checkpoints wait for the server's commits: without its own, the log would grow with all that is written here.
  connection.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  try {
    const sql = createSqliteSql(connection)
    const { number } = await readTables(sql)
    if (number !== knownTables()) {
      throw new Error(
        `The store has tables of version ${number}, this program knows ${knownTables()}. Use the server's own version.`,
      )
    }
    await refuseHalfImport(sql)
    const { storeEpoch, idFloor } = await readStore(sql)
    const users = createUserNumbers()
    const known = { slot: 0, storeEpoch, users, keySweep: { nextAt: Number.POSITIVE_INFINITY } }
    const engine = createSqliteEngine(connection, sql)
    const oneAtATime = createTurns()
    const writes = bindWrites((write) =>
      oneAtATime(() =>
        engine.transaction(async (inside) => {
          // Another process may have erased whom this one knew a moment ago.
          users.clear()
          const context = { ...known, sql: inside, now: options.clock.now() }
          return runWrite(context, write)
        }),
      ),
    )
    const commit = createCommit(options.clock, (batch) =>
      oneAtATime(() => runBatch({ engine, context: known, isStoreFault }, batch)),
    )
    return {
      ...createPorts(sql, writes, commit, storeEpoch),
      engine: `SQLite (${driver.name})`,
      idFloor,
      async ping() {
        await sql.one('SELECT name FROM meta LIMIT 1')
      },
      async close() {
        connection.close()
      },
    }
  } catch (error) {
    connection.close()
    throw error
  }
}

/**
 * Recomputes the funnel's counters from the delivery events (`npm run stats:rebuild`); the writer of a running server
 * waits only while the differences are added.
 */
export async function rebuildSqliteFunnels(options: BesideOptions): ReturnType<Funnels['rebuild']> {
  const stores = await openSqliteBeside(options)
  try {
    return await stores.funnels.rebuild()
  } finally {
    await stores.close()
  }
}

async function readStore(sql: Sql): Promise<{ storeEpoch: string; idFloor: number }> {
  const epoch = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'store_epoch'`)
  const floor = await sql.one<{ floor: number }>('SELECT COALESCE(MAX(value), 0) AS floor FROM id_floor')
  return { storeEpoch: epoch?.value ?? '', idFloor: floor?.floor ?? 0 }
}

/** Plans of this process, one transaction each. */
function createCommit(clock: Clock, run: (batch: Batch) => Promise<{ plans: Settled<unknown>[] }>): Commit {
  async function commit(plan: Plan): Promise<unknown> {
    const { plans } = await run({ writes: [], plans: [plan], now: clock.now() })
    const [settled] = plans
    if (settled === undefined) throw new Error('A plan was not answered.')
    if ('error' in settled) throw settled.error
    return settled.value
  }
  return {
    track: async (plan) => (await commit(plan)) as TrackOutcome,
    deliver: async (plan) => (await commit(plan)) as DeliveryOutcome,
    change: async (plan) => (await commit(plan)) as InboxOutcome,
    backlog: () => ({ plans: 0, oldestMs: 0 }),
  }
}

/** A connection has one transaction at a time. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
