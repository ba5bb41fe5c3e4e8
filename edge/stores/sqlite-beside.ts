// Work on a SQLite store from the command line, also while a server has it open: no lock, no threads, short transactions (contract sections 6 and 11).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Stores } from '../domain/stores.ts'
import { createBeside } from './beside.ts'
import type { SqliteOptions } from './sqlite.ts'
import { explainFile, isStoreFault, loadDriver } from './sqlite-driver.ts'
import { openConnection } from './sqlite-open.ts'
import { createSqliteEngine, createSqliteSql } from './sqlite-sql.ts'

/** 2 MiB: a fraction of what a full disk gets back as its ballast. */
const CHECKPOINT_PAGES = 500

type BesideOptions = Omit<SqliteOptions, 'queue'>

/**
 * All ports, for a process beside the server. Each write is a transaction of its own that waits for the server's writer,
 * and leaves a notice that the server hears within a second. Throws a text for the operator when there is no store, or
 * one of another version.
 */
export async function openSqliteBeside(options: BesideOptions): Promise<Stores> {
  const path = join(options.dataDir, 'store.db')
  if (!existsSync(path))
    throw new Error(`There is no store in ${options.dataDir}. Start the server once, or set DATA_DIR.`)
  const driver = await loadDriver(options.driver)
  const connection = openConnection(driver, path, 'reader')
  // The server's checkpoints wait for the server's commits: without its own, the log would grow with all that is written here.
  connection.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  try {
    const sql = createSqliteSql(connection)
    const engine = createSqliteEngine(connection, sql)
    const ports = await createBeside({ sql, engine, slot: 0, clock: options.clock, isStoreFault })
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
