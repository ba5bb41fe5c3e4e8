// The SQLite store: opens and locks the data folder, starts writer and checkpoint threads, reads on this thread (house section 3).

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Commit, DeliveryOutcome, InboxOutcome, TrackOutcome } from '../domain/plan.ts'
import type { Stores } from '../domain/stores.ts'
import type { Clock } from '../lib/clock.ts'
import { startThread, threadUrl } from '../lib/thread.ts'
import { type Dialect, migrate } from './migrate.ts'
import type { Sql } from './sql/sql.ts'
import { bindWrites, createPorts } from './sql/stores.ts'
import { resumeErasures } from './sql/user.ts'
import { type DriverName, loadDriver, type SqliteConnection } from './sqlite-driver.ts'
import { lockFolder } from './sqlite-lock.ts'
import { makeReadOnly, openConnection } from './sqlite-open.ts'
import { type FromWriter, SIGNAL, type SqliteThreadData, unpackResult } from './sqlite-protocol.ts'
import { createSqliteEngine, createSqliteSql } from './sqlite-sql.ts'
import { createWriteQueue, type QueueLimits, type WriteQueue } from './write-queue.ts'

export interface SqliteOptions {
  dataDir: string
  clock: Clock
  /** Without it: better-sqlite3 where it is installed and works, else libsql. */
  driver?: DriverName
  queue?: Partial<QueueLimits>
}

/** Throws a text for the operator when another process has the folder, or a newer version has written it. */
export async function openSqliteStores(options: SqliteOptions): Promise<Stores> {
  const { dataDir, clock } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const driver = await loadDriver(options.driver)
  const unlock = lockFolder(driver, dataDir)
  const path = join(dataDir, 'store.db')
  const connection = openConnection(driver, path, 'reader')
  const sql = createSqliteSql(connection)
  const { storeEpoch, idFloor } = await prepareStore(connection, sql, clock)
  makeReadOnly(connection)

  const signal = new SharedArrayBuffer(8)
  const threadData: SqliteThreadData = { path, driver: driver.name, storeEpoch, signal }
  const writer = startThread(threadUrl(import.meta.url, 'sqlite-writer'), threadData)
  const checkpoint = startThread(threadUrl(import.meta.url, 'sqlite-checkpoint'), threadData)
  const queue = createWriteQueue({ clock, send: (batch) => writer.postMessage(batch), limits: options.queue })
  await connectWriter(writer, queue)
  const writes = bindWrites((write) => queue.write(write))
  await resumeErasures(sql, writes)

  return {
    ...createPorts(sql, writes, createCommit(queue), storeEpoch),
    engine: `SQLite (${driver.name})`,
    idFloor,
    async ping() {
      await sql.one('SELECT name FROM meta LIMIT 1')
    },
    async close() {
      await queue.drained()
      await stopCheckpoints(checkpoint, signal)
      connection.close()
      const ended = once(writer, 'exit')
      writer.postMessage('close')
      await ended
      unlock()
    },
  }
}

/** Creates or migrates the tables; answers what the store knows of itself. */
async function prepareStore(connection: SqliteConnection, sql: Sql, clock: Clock) {
  connection.exec('PRAGMA journal_mode = WAL')
  const engine = createSqliteEngine(connection, sql)
  await migrate(engine, SQLITE, clock.now())
  await sql.run(`INSERT INTO meta (name, value) VALUES ('store_epoch', ?) ON CONFLICT (name) DO NOTHING`, [
    randomBytes(5).toString('hex'),
  ])
  const epoch = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'store_epoch'`)
  const floor = await sql.one<{ floor: number }>('SELECT COALESCE(MAX(value), 0) AS floor FROM id_floor')
  return { storeEpoch: epoch?.value ?? '', idFloor: floor?.floor ?? 0 }
}

const SQLITE: Dialect = {
  translate: (statement) =>
    statement.replace('IDENTITY', 'INTEGER PRIMARY KEY AUTOINCREMENT').replace(/\bCLUSTERED$/, 'WITHOUT ROWID'),
}

/** Waits until the writer is ready; when it ends before its time, everything that waits for it fails. */
async function connectWriter(writer: Worker, queue: WriteQueue): Promise<void> {
  writer.on('error', (error) => queue.fail(error))
  writer.on('exit', () => queue.fail(new Error('The writer thread has ended.')))
  await new Promise<void>((resolve, reject) => {
    writer.once('error', reject)
    writer.on('message', (message: FromWriter) => {
      if (message === 'ready') resolve()
      else queue.settle(unpackResult(message))
    })
  })
}

/** The kind of a plan decides the kind of its outcome: `commitBatch` answers each plan by its kind. */
function createCommit(queue: WriteQueue): Commit {
  return {
    track: async (plan) => (await queue.commit(plan)) as TrackOutcome,
    deliver: async (plan) => (await queue.commit(plan)) as DeliveryOutcome,
    change: async (plan) => (await queue.commit(plan)) as InboxOutcome,
    backlog: queue.backlog,
  }
}

async function stopCheckpoints(checkpoint: Worker, signal: SharedArrayBuffer): Promise<void> {
  const words = new Int32Array(signal)
  const ended = once(checkpoint, 'exit')
  Atomics.store(words, SIGNAL.stop, 1)
  Atomics.add(words, SIGNAL.commits, 1)
  Atomics.notify(words, SIGNAL.stop)
  Atomics.notify(words, SIGNAL.commits)
  await ended
}
