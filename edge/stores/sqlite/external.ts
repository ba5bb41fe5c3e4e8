// Opens a SQLite store for the command line, also while a server uses it: no lock, no threads, short transactions.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Stores } from '../../domain/stores.ts'
import { createExternalAccess } from '../external-access.ts'
import { explainFile, isStoreFault, loadDriver } from './driver.ts'
import { openConnection } from './open.ts'
import { createSqliteEngine, createSqliteSql } from './sql.ts'
import type { SqliteOptions } from './stores.ts'

/** 2 MiB: a fraction of the reserve file, which is deleted when the disk is full. */
const CHECKPOINT_PAGES = 500

type SqliteExternalOptions = Omit<SqliteOptions, 'queue'>

/**
 * Opens all ports. Each write is a transaction that waits for the server's writer. The server reads its notice within a
 * second.
 * @throws Error with a text for the operator when there is no store, or one of another version.
 */
export async function openSqliteExternal(options: SqliteExternalOptions): Promise<Stores> {
  const path = join(options.dataDir, 'store.db')
  if (!existsSync(path))
    throw new Error(`There is no store in ${options.dataDir}. Start the server once, or set DATA_DIR.`)
  const driver = await loadDriver(options.driver)
  const connection = openConnection(driver, path, 'reader')
  // The server checkpoints only after its own commits: without these checkpoints, the writes here would grow the log.
  connection.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  try {
    const sql = createSqliteSql(connection)
    const engine = createSqliteEngine(connection, sql)
    const ports = await createExternalAccess({ sql, engine, slot: 0, clock: options.clock, isStoreFault })
    return {
      ...ports,
      engine: `SQLite (${driver.name})`,
      async ping() {
        await sql.one('SELECT name FROM meta LIMIT 1')
      },
      async close() {
        connection.close()
      },
    }
  } catch (error) {
    connection.close()
    throw explainFile(error, path)
  }
}
