// The checkpoint thread: moves the log into the database behind the writer, so that no commit has to wait for it (choices, storage).

import { fdatasyncSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { loadDriver, type SqliteConnection } from './sqlite-driver.ts'
import { openConnection } from './sqlite-open.ts'
import { RESTART, SIGNAL, type SqliteThreadData } from './sqlite-protocol.ts'

const EVERY_MS = 100
/**
 * Past these (48 MiB) the writer is asked to begin the log anew. Within `journal_size_limit`, so that the
 * file keeps its size and commits write over its blocks: one that lengthens it waits for the file system's own journal too
 * (docs/decisions/0091).
 */
const RESTART_FRAMES = 12_000

interface Checkpoint {
  /** Frames in the log, and how many of them are moved. */
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
    takeBack()
    let moved = move(database)
    if (moved.log > RESTART_FRAMES && moved.checkpointed === moved.log) {
      // The less is left to the writer, the shorter it is kept from commits; twice, as more comes meanwhile.
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

/** What the writer has had no batch to do it behind is asked anew; while it is at it, it has the checkpoints' lock. */
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
