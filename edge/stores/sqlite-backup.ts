// Backup and restore of a SQLite store: one file, consistent, taken while the server runs (contract section 11, the command line).

import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { knownTables, readTables } from './migrate.ts'
import { loadDriver, type SqliteDriver } from './sqlite-driver.ts'
import { isFolderLocked, lockFolder } from './sqlite-lock.ts'
import { createSqliteSql } from './sqlite-sql.ts'

const BUSY_MS = 10_000

/** Copies the store as it is at one moment into `file`, which must not exist; the server goes on writing meanwhile. */
export async function backupSqlite(dataDir: string, file: string): Promise<{ bytes: number }> {
  const path = join(dataDir, 'store.db')
  if (!existsSync(path)) throw new Error(`There is no store in ${dataDir}. Start the server once, or set DATA_DIR.`)
  if (existsSync(file)) throw new Error(`${file} exists already. Name a file that does not.`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const driver = await loadDriver()
  const draft = `${file}.part`
  rmSync(draft, { force: true })
  const connection = driver.open(path, BUSY_MS)
  try {
    // Reads under one snapshot: writers are not held up, and the copy has no gaps left by what was deleted.
    connection.prepare('VACUUM INTO ?').run([draft])
  } finally {
    connection.close()
  }
  await checkBackup(driver, draft)
  renameSync(draft, file)
  return { bytes: statSync(file).size }
}

/**
 * Puts a backup in the place of the folder's store; the former one is kept beside it. Refuses while a server works on the
 * folder. Killed in between, the former store or the backup is whole, and the next call works.
 */
export async function restoreSqlite(dataDir: string, file: string): Promise<{ kept: string | null }> {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const driver = await loadDriver()
  await checkBackup(driver, file)
  const unlock = lockFolder(driver, dataDir)
  try {
    const path = join(dataDir, 'store.db')
    const draft = join(dataDir, 'restore.part')
    rmSync(draft, { force: true })
    const source = driver.open(file, BUSY_MS)
    try {
      source.prepare('VACUUM INTO ?').run([draft])
    } finally {
      source.close()
    }
    await renewEpoch(driver, draft)
    const kept = existsSync(path) ? join(dataDir, `store.before-restore-${statSync(path).mtimeMs.toFixed(0)}.db`) : null
    if (kept !== null) {
      foldIn(driver, path)
      renameSync(path, kept)
    }
    renameSync(draft, path)
    return { kept }
  } finally {
    unlock()
  }
}

/** Whether a server works on the folder now. */
export async function isSqliteInUse(dataDir: string): Promise<boolean> {
  return isFolderLocked(await loadDriver(), dataDir)
}

/** Keeps servers off the folder; answers the function that lets them again. Throws a text for the operator when one is there. */
export async function lockSqlite(dataDir: string): Promise<() => void> {
  return lockFolder(await loadDriver(), dataDir)
}

/** Throws a text for the operator when the file is no whole store of a version that this program knows. */
async function checkBackup(driver: SqliteDriver, file: string): Promise<void> {
  const connection = driver.open(file, BUSY_MS)
  try {
    const [verdict] = connection.prepare('PRAGMA quick_check(1)').all([]) as { quick_check: string }[]
    if (verdict?.quick_check !== 'ok') throw new Error(`${file} is damaged.`)
    const { number, oldestBinary } = await readTables(createSqliteSql(connection))
    if (oldestBinary > knownTables()) {
      throw new Error(`${file} has tables of version ${number}, this program knows ${knownTables()}.`)
    }
  } catch (cause) {
    if (cause instanceof Error && !('code' in cause)) throw cause
    throw new Error(`${file} is not a store of this service.`, { cause })
  } finally {
    connection.close()
  }
}

/** Widgets that were ahead of the backup must not take its numbers for newer ones: another epoch makes them begin anew. */
async function renewEpoch(driver: SqliteDriver, file: string): Promise<void> {
  const connection = driver.open(file, BUSY_MS)
  try {
    await createSqliteSql(connection).run(
      `UPDATE meta SET value = lower(hex(randomblob(5))) WHERE name = 'store_epoch'`,
    )
  } finally {
    connection.close()
  }
}

/** Moves the log into the file, so that the file alone is the whole store. */
function foldIn(driver: SqliteDriver, path: string): void {
  const connection = driver.open(path, BUSY_MS)
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    connection.close()
  }
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true })
}
