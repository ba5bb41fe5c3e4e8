// The checkpoint thread: moves the log into the database behind the writer, so that no commit has to wait for it (choices, storage).

import { workerData } from 'node:worker_threads'
import { loadDriver, type SqliteConnection } from './sqlite-driver.ts'
import { openConnection } from './sqlite-open.ts'
import { SIGNAL, type SqliteThreadData } from './sqlite-protocol.ts'

const EVERY_MS = 100
/**
 * Past these (48 MiB) the writer waits for a checkpoint and begins the log anew. Within `journal_size_limit`, so that the
 * file keeps its size and commits write over its blocks: one that lengthens it waits for the file system's own journal too
 * (docs/decisions/0091).
 */
const RESTART_FRAMES = 12_000

interface Checkpoint {
  /** Frames in the log, and how many of them are moved. */
  log: number
  checkpointed: number
}

const { path, driver: driverName, signal } = workerData as SqliteThreadData
const words = new Int32Array(signal)
const connection = openConnection(await loadDriver(driverName), path, 'checkpoint')
runUntilStopped(connection)
connection.close()

function runUntilStopped(database: SqliteConnection): void {
  let seen = 0
  let left = false
  while (Atomics.load(words, SIGNAL.stop) === 0) {
    // An idle store sleeps here without end: the writer or the stop wakes it.
    if (!left) Atomics.wait(words, SIGNAL.commits, seen)
    Atomics.wait(words, SIGNAL.stop, 0, EVERY_MS)
    if (Atomics.load(words, SIGNAL.stop) !== 0) return
    seen = Atomics.load(words, SIGNAL.commits)
    left = checkpoint(database)
  }
}

/** Answers whether frames are left: a reader held them back. */
function checkpoint(database: SqliteConnection): boolean {
  try {
    const passive = run(database, 'PASSIVE')
    const state = passive.log > RESTART_FRAMES ? run(database, 'RESTART') : passive
    return state.checkpointed < state.log
  } catch {
    return true // a full or failing disk: the writer reports it to those who write; here it is tried again
  }
}

function run(database: SqliteConnection, mode: 'PASSIVE' | 'RESTART'): Checkpoint {
  return database.prepare(`PRAGMA wal_checkpoint(${mode})`).all([])[0] as Checkpoint
}
