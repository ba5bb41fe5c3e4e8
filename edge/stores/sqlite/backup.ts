// Backs up and restores a SQLite store: one consistent file, taken while the server runs.

import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { explainFull, makeFolder, requireNewFile } from '../../lib/folder.ts'
import { knownTables, readTables } from '../migrate.ts'
import {
  explainFile,
  isAccessDenied,
  isDamage,
  isFull,
  loadDriver,
  type SqliteConnection,
  type SqliteDriver,
} from './driver.ts'
import { isFolderLocked, lockFolder } from './lock.ts'
import { createSqliteSql } from './sql.ts'

const BUSY_MS = 10_000
const LOG_SUFFIXES = ['-wal', '-shm']

/**
 * Copies one snapshot of the store into `file`; the server can write meanwhile.
 * @throws Error with a text for the operator when there is no store, or `file` exists or cannot be written.
 */
export async function backupSqlite(dataDir: string, file: string): Promise<{ bytes: number }> {
  const path = join(dataDir, 'store.db')
  if (!existsSync(path)) throw new Error(`There is no store in ${dataDir}. Start the server once, or set DATA_DIR.`)
  requireNewFile(file)
  const driver = await loadDriver()
  const draft = `${file}.part`
  rmSync(draft, { force: true })
  try {
    copyInto(driver, path, { draft, name: file })
    await checkBackup(driver, draft, path)
    renameSync(draft, file)
  } catch (error) {
    // The usual cause is a full disk, where an incomplete copy would keep its space.
    for (const name of [draft, `${draft}-journal`]) rmSync(name, { force: true })
    throw error
  }
  return { bytes: statSync(file).size }
}

/**
 * Reads under one snapshot: writers are not blocked, and the copy has no free pages.
 * @throws Error with a text for the operator; `name` is the final path of the copy in that text.
 */
function copyInto(driver: SqliteDriver, from: string, { draft, name }: { draft: string; name: string }): void {
  let connection: SqliteConnection | undefined
  try {
    // SQLite writes into an empty file. Only this account may read it: it contains messages and encrypted secrets.
    closeSync(openSync(draft, 'wx', 0o600))
    connection = driver.open(from, BUSY_MS)
    connection.prepare('VACUUM INTO ?').run([draft])
  } catch (cause) {
    if (isFull(cause)) throw explainFile(cause, name)
    const explained = isDamage(cause) || isAccessDenied(cause) ? explainFile(cause, from) : explainFull(cause, name)
    if (explained !== cause) throw explained
    throw new Error(`${name} cannot be written: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  } finally {
    connection?.close()
  }
}

/**
 * Replaces the folder's store by a backup, and keeps the former one. After a kill, the former store or the backup is
 * complete, and the next call works.
 * @returns The name of the former store; null when there was none.
 * @throws Error with a text for the operator while a server uses the folder.
 */
export async function restoreSqlite(dataDir: string, file: string): Promise<{ kept: string | null }> {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`)
  const driver = await loadDriver()
  await checkBackup(driver, file)
  await makeFolder(dataDir)
  const unlock = lockFolder(driver, dataDir)
  try {
    const path = join(dataDir, 'store.db')
    const draft = join(dataDir, 'restore.part')
    rmSync(draft, { force: true })
    copyInto(driver, file, { draft, name: path })
    await renewEpoch(driver, draft)
    const kept = keepFormer(driver, path)
    renameSync(draft, path)
    return { kept }
  } catch (error) {
    for (const name of ['restore.part', 'restore.part-journal']) rmSync(join(dataDir, name), { force: true })
    throw explainFile(error, join(dataDir, 'store.db'))
  } finally {
    unlock()
  }
}

/** Returns whether a server uses the folder now. */
export async function isSqliteInUse(dataDir: string): Promise<boolean> {
  return isFolderLocked(await loadDriver(), dataDir)
}

/**
 * Locks the folder against servers.
 * @returns The function that unlocks it.
 * @throws Error with a text for the operator when a server uses it.
 */
export async function lockSqlite(dataDir: string): Promise<() => void> {
  return lockFolder(await loadDriver(), dataDir)
}

/**
 * @throws Error with a text for the operator when the file is not a complete store of a known version; `name` is the
 * file in that text.
 */
async function checkBackup(driver: SqliteDriver, file: string, name = file): Promise<void> {
  let connection: SqliteConnection | undefined
  try {
    connection = driver.open(file, BUSY_MS)
    const [verdict] = connection.prepare('PRAGMA quick_check(1)').all([]) as { quick_check: string }[]
    if (verdict?.quick_check !== 'ok') throw new Error(`${name} is damaged.`)
    const { number, oldestBinary } = await readTables(createSqliteSql(connection))
    if (oldestBinary > knownTables()) {
      throw new Error(`${name} has tables of version ${number}, this program knows ${knownTables()}.`)
    }
  } catch (cause) {
    if (cause instanceof Error && !('code' in cause)) throw cause
    if (isAccessDenied(cause)) throw new Error(`${name} cannot be read. Is it a file that you may read?`, { cause })
    throw new Error(`${name} is ${isDamage(cause) ? 'damaged' : 'not a store of this service'}.`, { cause })
  } finally {
    connection?.close()
  }
}

/** Sets a new epoch, so that widgets that are newer than the backup reload. */
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

/**
 * Renames the former store, and removes all files of its log.
 * @returns The new name; null when there was no store.
 */
function keepFormer(driver: SqliteDriver, path: string): string | null {
  let kept: string | null = null
  if (existsSync(path)) {
    kept = path.replace(/\.db$/, `.before-restore-${statSync(path).mtimeMs.toFixed(0)}.db`)
    checkpointLog(driver, path)
    renameSync(path, kept)
    for (const suffix of LOG_SUFFIXES) if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
  }
  for (const suffix of LOG_SUFFIXES) rmSync(path + suffix, { force: true })
  return kept
}

/** Moves the log into the file, so that the file alone is the store. A damaged store keeps its log file. */
function checkpointLog(driver: SqliteDriver, path: string): void {
  let connection: SqliteConnection | undefined
  try {
    connection = driver.open(path, BUSY_MS)
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // A damaged store is the reason for a restore; its readable parts may still be needed.
  } finally {
    connection?.close()
  }
}
