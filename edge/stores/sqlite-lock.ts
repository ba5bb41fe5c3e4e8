// One process at a time works on a data folder. The lock is the operating system's, so that a killed process leaves none behind.

import { join } from 'node:path'
import { isStoreFault, type SqliteDriver } from './sqlite-driver.ts'

/** Takes the lock, or throws a text for the operator. Answers the function that gives it back. */
export function lockFolder(driver: SqliteDriver, dataDir: string): () => void {
  const connection = driver.open(join(dataDir, 'store.lock'), 0)
  try {
    connection.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    connection.close()
    if (!isStoreFault(error)) throw error
    throw new Error(
      `Another process already works on the data in ${dataDir}. Stop it first, or set another DATA_DIR.`,
      {
        cause: error,
      },
    )
  }
  return () => connection.close()
}
