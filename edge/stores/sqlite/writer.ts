// Runs the writer thread, which has the only writing connection. Each message is a batch, committed in one
// transaction.

import { parentPort, workerData } from 'node:worker_threads'
import { type BatchDeps, runBatch } from '../sql/commit/run-batch.ts'
import { createUserIdCache } from '../sql/commit/user-id-cache.ts'
import { isStoreFault, loadDriver } from './driver.ts'
import { openConnection, sizeWriterCache } from './open.ts'
import { packResult, RESTART, SIGNAL, type SqliteThreadData, type ToWriter, unpackBatch } from './protocol.ts'
import { createSqliteEngine, createSqliteSql, createVersionWatch } from './sql.ts'

const { path, driver: driverName, storeEpoch, slot, signal } = workerData as SqliteThreadData
const port = parentPort
if (port === null) throw new Error('The writer must run in a worker thread.')

const signals = new Int32Array(signal)
const connection = openConnection(await loadDriver(driverName), path, 'writer')
sizeWriterCache(connection)
const engine = createSqliteEngine(connection, createSqliteSql(connection))
const users = createUserIdCache()
const hasForeignCommit = createVersionWatch(connection)
const deps: BatchDeps = {
  engine: {
    transaction: (work) =>
      engine.transaction((sql) => {
        // A command line may have erased a user whose number is cached here.
        if (hasForeignCommit()) users.clear()
        return work(sql)
      }),
  },
  context: { slot, storeEpoch, users, keySweep: { nextAt: 0 } },
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
        // A full or failing disk: the log file stays, and the next start reads it.
      }
      connection.close()
      port.close()
      return
    }
    const result = await runBatch(deps, unpackBatch(message))
    Atomics.add(signals, SIGNAL.commits, 1)
    Atomics.notify(signals, SIGNAL.commits)
    port.postMessage(packResult(result, isStoreFault))
    restartLog()
  })
})

/**
 * Moves the frames that the checkpoints left, so that the next commit restarts the log. Done by another thread, this
 * would stop the writer for up to 18 ms; PASSIVE waits for no reader (docs/decisions/0003-sqlite-checkpoints.md).
 */
function restartLog(): void {
  if (Atomics.compareExchange(signals, SIGNAL.restart, RESTART.requested, RESTART.underWay) !== RESTART.requested)
    return
  try {
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
    sizeWriterCache(connection)
  } catch {
    // A full or failing disk: the next batch reports it; the checkpoint thread requests a restart again.
  } finally {
    Atomics.store(signals, SIGNAL.restart, RESTART.none)
    Atomics.notify(signals, SIGNAL.restart)
  }
}
port.postMessage('ready')
