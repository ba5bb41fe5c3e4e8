// Runs the writer thread, which has the only writing connection. Each message is a batch, committed in one
// transaction.

import { parentPort, workerData } from 'node:worker_threads'
import { type BatchDeps, runBatch } from './sql/commit/run-batch.ts'
import { createUserIdCache } from './sql/commit/user-id-cache.ts'
import { isStoreFault, loadDriver } from './sqlite-driver.ts'
import { openConnection, sizeWriterCache } from './sqlite-open.ts'
import { packResult, RESTART, SIGNAL, type SqliteThreadData, type ToWriter, unpackBatch } from './sqlite-protocol.ts'
import { createSqliteEngine, createSqliteSql, createVersionWatch } from './sqlite-sql.ts'

const { path, driver: driverName, storeEpoch, signal } = workerData as SqliteThreadData
const port = parentPort
if (port === null) throw new Error('The writer runs in a thread of its own.')

const words = new Int32Array(signal)
const connection = openConnection(await loadDriver(driverName), path, 'writer')
sizeWriterCache(connection)
const engine = createSqliteEngine(connection, createSqliteSql(connection))
const users = createUserIdCache()
const wroteAnother = createVersionWatch(connection)
const deps: BatchDeps = {
  engine: {
    transaction: (work) =>
      engine.transaction((sql) => {
        // A command line may have erased a user whose number is cached here.
        if (wroteAnother()) users.clear()
        return work(sql)
      }),
  },
  context: { slot: 0, storeEpoch, users, keySweep: { nextAt: 0 } },
  isStoreFault,
}

/** Runs batches one after the other, in the order of arrival. */
let last: Promise<void> = Promise.resolve()
port.on('message', (message: ToWriter) => {
  last = last.then(async () => {
    if (message === 'close') {
      try {
        connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // A full or failing disk: the log stays beside the file, and the next start reads it.
      }
      connection.close()
      port.close()
      return
    }
    const result = await runBatch(deps, unpackBatch(message))
    Atomics.add(words, SIGNAL.commits, 1)
    Atomics.notify(words, SIGNAL.commits)
    port.postMessage(packResult(result, isStoreFault))
    restartLog()
  })
})

/**
 * Moves the frames that the checkpoints left, so that the next commit restarts the log. Only here nobody else writes:
 * another thread would need the writer's lock, and SQLite lets a writer that finds it taken sleep up to 8 or 18 ms
 * (docs/decisions/0003-sqlite-checkpoints.md). PASSIVE waits for no reader: a long snapshot only delays the restart.
 */
function restartLog(): void {
  if (Atomics.compareExchange(words, SIGNAL.restart, RESTART.asked, RESTART.underWay) !== RESTART.asked) return
  try {
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
    sizeWriterCache(connection)
  } catch {
    // A full or failing disk: the next batch reports it; the checkpoint thread asks again.
  } finally {
    Atomics.store(words, SIGNAL.restart, RESTART.none)
    Atomics.notify(words, SIGNAL.restart)
  }
}
port.postMessage('ready')
