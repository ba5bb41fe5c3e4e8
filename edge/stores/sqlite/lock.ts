// Locks a data folder for one process. The operating system holds the lock, so a killed process leaves none.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  explainFile,
  isAccessDenied,
  isFull,
  isStoreFault,
  type SqliteConnection,
  type SqliteDriver,
} from './driver.ts'

/**
 * Takes the lock.
 * @returns The function that releases it.
 * @throws Error with a text for the operator.
 */
export function lockFolder(driver: SqliteDriver, dataDir: string): () => void {
  const path = join(dataDir, 'store.lock')
  let connection: SqliteConnection | undefined
  try {
    connection = driver.open(path, 0)
    connection.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    connection?.close()
    if (isAccessDenied(error) || isFull(error)) throw explainFile(error, path)
    if (!isStoreFault(error)) throw error
    throw new Error(
      `Another process already works on the data in ${dataDir}. Stop it first, or set another DATA_DIR.`,
      {
        cause: error,
      },
    )
  }
  return () => connection?.close()
}

/** Returns whether a process uses the folder. Only reads, so that it hardly delays a starting server. */
export function isFolderLocked(driver: SqliteDriver, dataDir: string): boolean {
  if (!existsSync(join(dataDir, 'store.lock'))) return false
  const connection = driver.open(join(dataDir, 'store.lock'), 0)
  try {
    connection.prepare('PRAGMA schema_version').all([])
    return false
  } catch (error) {
    if (isStoreFault(error)) return true
    throw error
  } finally {
    connection.close()
  }
}
