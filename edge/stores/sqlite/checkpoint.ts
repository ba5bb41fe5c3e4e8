// Runs the checkpoint thread: moves the log into the database after commits, so that no commit waits for it.

import { fdatasyncSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { loadDriver, type SqliteConnection } from './driver.ts'
import { openConnection } from './open.ts'
import { RESTART, SIGNAL, type SqliteThreadData } from './protocol.ts'

const EVERY_MS = 100
/**
 * Above this size (48 MiB) a restart of the log is requested. It is below `journal_size_limit`, because a commit that
 * extends the file waits longer (docs/decisions/0003-sqlite-checkpoints.md).
 */
const RESTART_FRAMES = 12_000

interface Checkpoint {
  /** The frames in the log, and how many of them are moved. */
  log: number
  checkpointed: number
}

const { path, driver: driverName, signal, file } = workerData as SqliteThreadData
const signals = new Int32Array(signal)
const connection = openConnection(await loadDriver(driverName), path, 'checkpoint')
runUntilStopped(connection)
connection.close()

function runUntilStopped(database: SqliteConnection): void {
  let seen = 0
  let hasLeft = false
  while (Atomics.load(signals, SIGNAL.stop) === 0) {
    // With no frames left, the thread waits here until a commit or the stop signal.
    if (!hasLeft) Atomics.wait(signals, SIGNAL.commits, seen)
    Atomics.wait(signals, SIGNAL.stop, 0, EVERY_MS)
    if (Atomics.load(signals, SIGNAL.stop) !== 0) return
    seen = Atomics.load(signals, SIGNAL.commits)
    hasLeft = checkpoint(database)
  }
}

/** @returns Whether frames are left in the log because a reader still needs them. */
function checkpoint(database: SqliteConnection): boolean {
  try {
    withdrawRestart()
    let moved = moveFrames(database)
    if (moved.log > RESTART_FRAMES && moved.checkpointed === moved.log) {
      // Twice, because more frames arrive meanwhile: the fewer are left, the shorter the writer is blocked.
      for (let pass = 0; pass < 2; pass += 1) {
        fdatasyncSync(file)
        moved = moveFrames(database)
      }
      fdatasyncSync(file)
      Atomics.store(signals, SIGNAL.restart, RESTART.requested)
    }
    return moved.checkpointed < moved.log
  } catch {
    return true // a full or failing disk: the writer reports it to its callers, and the next pass retries
  }
}

/** Withdraws an open request for a restart of the log; waits while the writer has the checkpoint lock for it. */
function withdrawRestart(): void {
  let found = Atomics.compareExchange(signals, SIGNAL.restart, RESTART.requested, RESTART.none)
  while (found === RESTART.underWay && Atomics.load(signals, SIGNAL.stop) === 0) {
    Atomics.wait(signals, SIGNAL.restart, RESTART.underWay, EVERY_MS)
    found = Atomics.load(signals, SIGNAL.restart)
  }
}

function moveFrames(database: SqliteConnection): Checkpoint {
  return database.prepare('PRAGMA wal_checkpoint(PASSIVE)').all([])[0] as Checkpoint
}
