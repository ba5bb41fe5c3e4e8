// Runs the checkpoint thread: moves the log into the database after commits, so that no commit has to wait for it.

import { fdatasyncSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { loadDriver, type SqliteConnection } from './sqlite-driver.ts'
import { openConnection } from './sqlite-open.ts'
import { RESTART, SIGNAL, type SqliteThreadData } from './sqlite-protocol.ts'

const EVERY_MS = 100
/**
 * Above this size (48 MiB) the writer is asked to restart the log. It is below `journal_size_limit`, so that commits
 * reuse the blocks of the file: a commit that extends the file also waits for the file system's journal
 * (docs/decisions/0003-sqlite-checkpoints.md).
 */
const RESTART_FRAMES = 12_000

interface Checkpoint {
  /** The frames in the log, and how many of them are moved. */
  log: number
  checkpointed: number
}

const { path, driver: driverName, signal, file } = workerData as SqliteThreadData
const words = new Int32Array(signal)
const connection = openConnection(await loadDriver(driverName), path, 'checkpoint')
runUntilStopped(connection)
connection.close()

function runUntilStopped(database: SqliteConnection): void {
  let seen = 0
  let left = false
  while (Atomics.load(words, SIGNAL.stop) === 0) {
    // An idle store sleeps here until a commit or the stop signal.
    if (!left) Atomics.wait(words, SIGNAL.commits, seen)
    Atomics.wait(words, SIGNAL.stop, 0, EVERY_MS)
    if (Atomics.load(words, SIGNAL.stop) !== 0) return
    seen = Atomics.load(words, SIGNAL.commits)
    left = checkpoint(database)
  }
}

/** @returns Whether frames are left because a reader held them back. */
function checkpoint(database: SqliteConnection): boolean {
  try {
    takeBack()
    let moved = move(database)
    if (moved.log > RESTART_FRAMES && moved.checkpointed === moved.log) {
      // The fewer frames are left, the shorter the writer is blocked; twice, as more arrive meanwhile.
      for (let pass = 0; pass < 2; pass += 1) {
        fdatasyncSync(file)
        moved = move(database)
      }
      fdatasyncSync(file)
      Atomics.store(words, SIGNAL.restart, RESTART.asked)
    }
    return moved.checkpointed < moved.log
  } catch {
    return true // a full or failing disk: the writer reports it to those who write; here it is tried again
  }
}

/**
 * Withdraws an unanswered request for a restart of the log; while the writer restarts it, waits for its checkpoint
 * lock.
 */
function takeBack(): void {
  let found = Atomics.compareExchange(words, SIGNAL.restart, RESTART.asked, RESTART.none)
  while (found === RESTART.underWay && Atomics.load(words, SIGNAL.stop) === 0) {
    Atomics.wait(words, SIGNAL.restart, RESTART.underWay, EVERY_MS)
    found = Atomics.load(words, SIGNAL.restart)
  }
}

function move(database: SqliteConnection): Checkpoint {
  return database.prepare('PRAGMA wal_checkpoint(PASSIVE)').all([])[0] as Checkpoint
}
