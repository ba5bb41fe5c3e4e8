// Backup and restore of a SQLite store: one file, consistent, taken while the server runs (contract section 11, the command line).

import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../lib/folder.ts'
import { knownTables, readTables } from './migrate.ts'
import { explainFile, isDamage, loadDriver, type SqliteConnection, type SqliteDriver } from './sqlite-driver.ts'
import { isFolderLocked, lockFolder } from './sqlite-lock.ts'
import { createSqliteSql } from './sqlite-sql.ts'

const BUSY_MS = 10_000
const LOG_ENDINGS = ['-wal', '-shm']

/** Copies the store as it is at one moment into `file`, which must not exist; the server goes on writing meanwhile. */
export async function backupSqlite(dataDir: string, file: string): Promise<{ bytes: number }> {
  const path = join(dataDir, 'store.db')
  if (!existsSync(path)) throw new Error(`There is no store in ${dataDir}. Start the server once, or set DATA_DIR.`)
  if (existsSync(file)) throw new Error(`${file} exists already. Name a file that does not.`)
  await makeFolder(dirname(file))
  const driver = await loadDriver()
  const draft = `${file}.part`
  rmSync(draft, { force: true })
  try {
    copyInto(driver, path, draft)
    await checkBackup(driver, draft, path)
    renameSync(draft, file)
  } catch (error) {
    // Half a copy would take the room that was wanting.
    for (const name of [draft, `${draft}-journal`]) rmSync(name, { force: true })
    throw error
  }
  return { bytes: statSync(file).size }
}

/** Reads under one snapshot: writers are not held up, and the copy has no gaps left by what was deleted. */
function copyInto(driver: SqliteDriver, from: string, to: string): void {
  // It holds what users were told, and sealed secrets: for this account alone. SQLite writes into an empty file.
  closeSync(openSync(to, 'wx', 0o600))
  let connection: SqliteConnection | undefined
  try {
    connection = driver.open(from, BUSY_MS)
    connection.prepare('VACUUM INTO ?').run([to])
  } catch (cause) {
    const told = explainFile(cause, from)
    if (told !== cause) throw told
    throw new Error(`${to} cannot be written: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  } finally {
    connection?.close()
  }
}

/**
 * Puts a backup in the place of the folder's store; the former one is kept beside it. Refuses while a server works on the
 * folder. Killed in between, the former store or the backup is whole, and the next call works.
 */
export async function restoreSqlite(dataDir: string, file: string): Promise<{ kept: string | null }> {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`)
  await makeFolder(dataDir)
  const driver = await loadDriver()
  await checkBackup(driver, file)
  const unlock = lockFolder(driver, dataDir)
  try {
    const path = join(dataDir, 'store.db')
    const draft = join(dataDir, 'restore.part')
    rmSync(draft, { force: true })
    copyInto(driver, file, draft)
    await renewEpoch(driver, draft)
    const kept = setAside(driver, path)
    renameSync(draft, path)
    return { kept }
  } catch (error) {
    rmSync(join(dataDir, 'restore.part'), { force: true })
    throw error
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

/** Throws a text for the operator when the file is no whole store of a version that this program knows; `name` is what it names. */
async function checkBackup(driver: SqliteDriver, file: string, name = file): Promise<void> {
  const connection = driver.open(file, BUSY_MS)
  try {
    const [verdict] = connection.prepare('PRAGMA quick_check(1)').all([]) as { quick_check: string }[]
    if (verdict?.quick_check !== 'ok') throw new Error(`${name} is damaged.`)
    const { number, oldestBinary } = await readTables(createSqliteSql(connection))
    if (oldestBinary > knownTables()) {
      throw new Error(`${name} has tables of version ${number}, this program knows ${knownTables()}.`)
    }
  } catch (cause) {
    if (cause instanceof Error && !('code' in cause)) throw cause
    throw new Error(`${name} is ${isDamage(cause) ? 'damaged' : 'not a store of this service'}.`, { cause })
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

/** Gives the former store another name, and answers it; null when there is none. No file of its log stays for the next one. */
function setAside(driver: SqliteDriver, path: string): string | null {
  let kept: string | null = null
  if (existsSync(path)) {
    kept = path.replace(/\.db$/, `.before-restore-${statSync(path).mtimeMs.toFixed(0)}.db`)
    foldIn(driver, path)
    renameSync(path, kept)
    for (const ending of LOG_ENDINGS) if (existsSync(path + ending)) renameSync(path + ending, kept + ending)
  }
  for (const ending of LOG_ENDINGS) rmSync(path + ending, { force: true })
  return kept
}

/** Moves the log into the file, so that the file alone is the whole store. A damaged one keeps its log beside it. */
function foldIn(driver: SqliteDriver, path: string): void {
  let connection: SqliteConnection | undefined
  try {
    connection = driver.open(path, BUSY_MS)
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // It is what the backup is there for; what can be read of it may still be wanted.
  } finally {
    connection?.close()
  }
}
