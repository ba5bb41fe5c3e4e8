// Opens the maintenance store of SQLite. A server may run during an export, but not during an import.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../lib/folder.ts'
import { migrate } from '../migrate.ts'
import { countAll } from '../sql/sql.ts'
import { loadDriver, type SqliteConnection } from '../sqlite/driver.ts'
import { isFolderLocked, lockFolder } from '../sqlite/lock.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from '../sqlite/sql.ts'
import type { MaintenanceStore } from './maintenance-store.ts'

const BUSY_MS = 10_000
const CACHE_KIB = 64 * 1024

/**
 * Opens the store. `exclusive` locks the folder against servers until the store is closed, and creates a missing store.
 * @throws Error when the folder has no store, or with `exclusive` another process has locked it.
 */
export async function openMaintenanceSqlite(
  dataDir: string,
  { exclusive }: { exclusive: boolean },
): Promise<MaintenanceStore> {
  const path = join(dataDir, 'store.db')
  if (!exclusive && !existsSync(path)) {
    throw new Error(`There is no store in ${dataDir}. Start the server once, or set DATA_DIR.`)
  }
  const driver = await loadDriver()
  if (exclusive) await makeFolder(dataDir)
  const unlock = exclusive ? lockFolder(driver, dataDir) : () => {}
  const connection = driver.open(path, BUSY_MS)
  connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  if (exclusive) connection.exec('PRAGMA journal_mode = WAL')
  const sql = createSqliteSql(connection)
  const engine = createSqliteEngine(connection, sql)
  return {
    ...engine,
    engine: 'SQLite',
    migrate: (now, migrations) => migrate(engine, SQLITE, now, migrations),
    snapshot: (work) => snapshot(connection, () => work(sql)),
    async hasTable(inside, table) {
      return (
        (await inside.one(`SELECT 1 AS one FROM sqlite_master WHERE type = 'table' AND name = ?`, [table])) !==
        undefined
      )
    },
    countRows: countAll,
    async readIdentity(inside, table) {
      return (await inside.one<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', [table]))?.seq ?? 0
    },
    async raiseIdentity(inside, table, _column, value) {
      const changed = await inside.run('UPDATE sqlite_sequence SET seq = MAX(seq, ?) WHERE name = ?', [value, table])
      if (changed === 0) await inside.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [table, value])
    },
    // A transaction that writes waits for the one before it.
    settle: () => engine.transaction(async () => {}),
    updateStatistics: async () => {},
    clockSkewMs: async () => null,
    // With `exclusive` this process holds the lock itself.
    isInUse: async () => !exclusive && isFolderLocked(driver, dataDir),
    async close() {
      if (exclusive) connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      connection.close()
      unlock()
    },
  }
}

async function snapshot<T>(connection: SqliteConnection, work: () => Promise<T>): Promise<T> {
  connection.exec('BEGIN')
  try {
    return await work()
  } finally {
    connection.exec('COMMIT')
  }
}
