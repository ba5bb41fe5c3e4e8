// Opens the SQLite store: locks the data folder, starts the writer and checkpoint threads, and reads on this thread.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Stores, StoreWatch } from '../../domain/stores.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { startThread, threadUrl } from '../../lib/thread.ts'
import { migrate } from '../migrate.ts'
import { refuseUnfinishedImport } from '../portable/unfinished-import.ts'
import { freeLeases } from '../sql/claims/free-leases.ts'
import type { BatchResult } from '../sql/commit/run-batch.ts'
import type { Sql } from '../sql/sql.ts'
import { createPorts } from '../sql/stores.ts'
import { resumeErasures } from '../sql/user.ts'
import { bindWrites } from '../sql/writes.ts'
import { timeReads } from '../timed-reads.ts'
import { createCommit, createWriteQueue, type QueueLimits, type WriteQueue } from '../write-queue.ts'
import { type DriverName, explainFile, loadDriver, type SqliteConnection, type SqliteDriver } from './driver.ts'
import { lockFolder } from './lock.ts'
import { makeReadOnly, openConnection } from './open.ts'
import { type FromWriter, packBatch, SIGNAL, SIGNAL_BYTES, type SqliteThreadData, unpackResult } from './protocol.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from './sql.ts'
import { createWriteHealth, type WriteHealth } from './write-health.ts'

export interface SqliteOptions {
  dataDir: string
  /** Ids and counters contain it; 0 without it. */
  nodeNumber?: number
  clock: Clock
  /** Without it: better-sqlite3 where it is installed and works, else libsql. */
  driver?: DriverName
  queue?: Partial<QueueLimits> | undefined
  watch?: StoreWatch | undefined
  log?: Pick<Log, 'info' | 'error'>
}

export interface SqliteStores extends Stores {
  /** Returns the bytes inside the store's files that new rows can use. */
  reusableBytes(): Promise<number>
}

/**
 * Opens the store; creates folder and tables when they are missing.
 * @throws Error with a text for the operator when another process uses the folder, or a newer version has written it.
 */
export async function openSqliteStores(options: SqliteOptions): Promise<SqliteStores> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const driver = await loadDriver(options.driver)
  const unlock = lockFolder(driver, options.dataDir)
  const path = join(options.dataDir, 'store.db')
  const connection = openReader(driver, path, unlock)
  let file: number | undefined
  const release = () => {
    // After all connections: a process that closes a descriptor of a file loses all its locks on it, also SQLite's.
    if (file !== undefined) closeSync(file)
    unlock()
  }
  try {
    const sql = createSqliteSql(connection)
    const { storeEpoch, idFloor } = await prepareStore(connection, sql, options)
    makeReadOnly(connection)
    file = openSync(path, 'r+')
    const writeHealth: WriteHealth = createWriteHealth({ trial: () => writes.touchStore(), log: options.log })
    const slot = options.nodeNumber ?? 0
    const data = { path, driver: driver.name, storeEpoch, slot, file }
    const threads = await startThreads(data, writeHealth.onResult, options)
    const writes = bindWrites((write) => threads.queue.write(write))
    await resumeErasures(sql, writes)
    let closing: Promise<void> | undefined
    return {
      ...createPorts(timeReads(sql, options.watch), writes, createCommit(threads.queue), storeEpoch),
      engine: `SQLite (${driver.name})`,
      idFloor,
      nodeNumber: () => slot,
      async ping() {
        threads.queue.check()
        await sql.one('SELECT name FROM meta LIMIT 1')
        await writeHealth.confirm()
      },
      reusableBytes: () => readReusableBytes(sql),
      close() {
        closing ??= closeAll()
        return closing
      },
    }
    async function closeAll(): Promise<void> {
      await threads.queue.drained()
      await threads.stopCheckpoints()
      connection.close()
      await threads.stopWriter()
      release()
    }
  } catch (error) {
    connection.close()
    release()
    throw explainFile(error, path)
  }
}

/** Opens the reader; releases the lock when the file is not a readable store. */
function openReader(driver: SqliteDriver, path: string, unlock: () => void): SqliteConnection {
  try {
    return openConnection(driver, path, 'reader')
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Creates or migrates the tables.
 * @returns The store's epoch and id floor.
 */
async function prepareStore(connection: SqliteConnection, sql: Sql, { clock, log }: SqliteOptions) {
  connection.exec('PRAGMA journal_mode = WAL')
  const engine = createSqliteEngine(connection, sql)
  // Before the migration: an unfinished import must be repeated into the version that it started with.
  if ((await sql.one(`SELECT 1 AS one FROM sqlite_master WHERE name = 'meta'`)) !== undefined)
    await refuseUnfinishedImport(sql)
  const applied = await migrate(engine, SQLITE, clock.now())
  if (applied.length > 0) log?.info('migrated', { count: applied.length })
  await sql.run(`INSERT INTO meta (name, value) VALUES ('store_epoch', ?) ON CONFLICT (name) DO NOTHING`, [
    randomBytes(5).toString('hex'),
  ])
  // This process holds the folder's lock, so every earlier claimant has ended.
  const freed = await freeLeases(sql, clock.now())
  if (freed > 0) log?.info('leases of an ended process freed', { count: freed })
  const epoch = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'store_epoch'`)
  const floor = await sql.one<{ floor: number }>('SELECT COALESCE(MAX(value), 0) AS floor FROM id_floor')
  return { storeEpoch: epoch?.value ?? '', idFloor: floor?.floor ?? 0 }
}

interface Threads {
  queue: WriteQueue
  stopCheckpoints(): Promise<void>
  stopWriter(): Promise<void>
}

/** Starts both threads and waits for the writer. When one of them ends, all work is refused. */
async function startThreads(
  data: Omit<SqliteThreadData, 'signal'>,
  onResult: WriteHealth['onResult'],
  options: SqliteOptions,
): Promise<Threads> {
  const signal = new SharedArrayBuffer(SIGNAL_BYTES)
  const threadData: SqliteThreadData = { ...data, signal }
  const writer = startThread(threadUrl(import.meta.url, 'writer'), threadData)
  const checkpoint = startThread(threadUrl(import.meta.url, 'checkpoint'), threadData)
  const queue = createWriteQueue({
    clock: options.clock,
    send: (batch) => writer.postMessage(packBatch(batch)),
    limits: options.queue,
    onBatch: options.watch?.onBatch,
  })
  const settle = (result: BatchResult) => {
    onResult(result)
    queue.settle(result)
  }
  for (const thread of [writer, checkpoint]) {
    thread.on('error', (error) => queue.fail(error))
    thread.on('exit', () => queue.fail(new Error('A thread of the store has ended.')))
  }
  const ready = new Promise<void>((resolve, reject) => {
    writer.once('error', reject)
    writer.on('message', (message: FromWriter) => {
      if (message === 'ready') resolve()
      else settle(unpackResult(message))
    })
  })
  await ready.catch(async (error: unknown) => {
    await stopCheckpoints(checkpoint, signal)
    throw error
  })
  return {
    queue,
    stopCheckpoints: () => stopCheckpoints(checkpoint, signal),
    async stopWriter() {
      const ended = once(writer, 'exit')
      writer.postMessage('close')
      await ended
    },
  }
}

async function stopCheckpoints(checkpoint: Worker, signal: SharedArrayBuffer): Promise<void> {
  const signals = new Int32Array(signal)
  const ended = once(checkpoint, 'exit')
  Atomics.store(signals, SIGNAL.stop, 1)
  Atomics.add(signals, SIGNAL.commits, 1)
  Atomics.notify(signals, SIGNAL.stop)
  Atomics.notify(signals, SIGNAL.commits)
  await ended
}

/** @returns The bytes of removed rows, which new rows can use without the file growing. */
async function readReusableBytes(sql: Sql): Promise<number> {
  const free = await sql.one<{ freelist_count: number }>('PRAGMA freelist_count')
  const page = await sql.one<{ page_size: number }>('PRAGMA page_size')
  return (free?.freelist_count ?? 0) * (page?.page_size ?? 0)
}
