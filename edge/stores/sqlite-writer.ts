// The writer thread: the only connection that writes. Each message is a batch, committed in one transaction (choices, storage).

import { parentPort, workerData } from 'node:worker_threads'
import { type BatchDeps, runBatch } from './sql/commit/run-batch.ts'
import { createUserNumbers } from './sql/commit/user-numbers.ts'
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
const users = createUserNumbers()
const wroteAnother = createVersionWatch(connection)
const deps: BatchDeps = {
  engine: {
    transaction: (work) =>
      engine.transaction((sql) => {
        // The command line beside this process may have erased a user whose number is known here.
        if (wroteAnother()) users.clear()
        return work(sql)
      }),
  },
  context: { slot: 0, storeEpoch, users, keySweep: { nextAt: 0 } },
  isStoreFault,
}

/** Batches run one after the other, in the order in which they came. */
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
 * Moves what the checkpoints left, so that the next commit begins the log anew. Here nobody else writes meanwhile: from another
 * thread it would need the writer's lock, and SQLite lets a writer that finds it taken sleep for up to 8 or 18 ms
 * (docs/decisions/0214). PASSIVE waits for no reader: one that keeps its snapshot puts the new beginning off, and nothing else.
 */
function restartLog(): void {
  if (Atomics.compareExchange(words, SIGNAL.restart, RESTART.asked, RESTART.underWay) !== RESTART.asked) return
  try {
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
    sizeWriterCache(connection)
  } catch {
    // A full or failing disk: the next batch reports it to those who write; the checkpoints ask again.
  } finally {
    Atomics.store(words, SIGNAL.restart, RESTART.none)
    Atomics.notify(words, SIGNAL.restart)
  }
}
port.postMessage('ready')
