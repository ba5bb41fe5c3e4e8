// Locks a data folder for one process. The operating system holds the lock, so a killed process leaves none.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  explainFile,
  isClosed,
  isFull,
  isStoreFault,
  type SqliteConnection,
  type SqliteDriver,
} from './sqlite-driver.ts'

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
    if (isClosed(error)) throw explainFile(error, path)
    if (!isStoreFault(error)) throw error
    if (isFull(error))
      throw new Error(`There is no room left on the disk of ${dataDir}. Make some, then try again.`, { cause: error })
    throw new Error(
      `Another process already works on the data in ${dataDir}. Stop it first, or set another DATA_DIR.`,
      {
        cause: error,
      },
    )
  }
  return () => connection?.close()
}

/** Returns whether a process works on the folder. Only reads, so that a starting server is hardly delayed. */
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
