// Work on a SQLite store from the command line, also while a server has it open: no lock, no threads, short transactions (contract section 6).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Funnels } from '../domain/funnel.ts'
import { knownTables, readTables } from './migrate.ts'
import { createUserNumbers } from './sql/commit/user-numbers.ts'
import { createFunnels } from './sql/funnel.ts'
import { bindWrites, runWrite } from './sql/stores.ts'
import type { SqliteOptions } from './sqlite.ts'
import { loadDriver } from './sqlite-driver.ts'
import { openConnection } from './sqlite-open.ts'
import { createSqliteEngine, createSqliteSql } from './sqlite-sql.ts'

/**
 * Recomputes the funnel's counters from the delivery events (`npm run stats:rebuild`); the writer of a running server
 * waits only while the differences are added. Throws a text for the operator when there is no store, or one of another version.
 */
export async function rebuildSqliteFunnels(options: Omit<SqliteOptions, 'queue'>): ReturnType<Funnels['rebuild']> {
  const path = join(options.dataDir, 'store.db')
  if (!existsSync(path))
    throw new Error(`There is no store in ${options.dataDir}. Start the server once, or set DATA_DIR.`)
  const driver = await loadDriver(options.driver)
  const connection = openConnection(driver, path, 'reader')
  try {
    const sql = createSqliteSql(connection)
    const { number } = await readTables(sql)
    if (number !== knownTables()) {
      throw new Error(
        `The store has tables of version ${number}, this program knows ${knownTables()}. Use the server's own version.`,
      )
    }
    const engine = createSqliteEngine(connection, sql)
    const known = {
      slot: 0,
      storeEpoch: '',
      users: createUserNumbers(),
      keySweep: { nextAt: Number.POSITIVE_INFINITY },
    }
    const writes = bindWrites((write) =>
      engine.transaction((inside) => runWrite({ ...known, sql: inside, now: options.clock.now() }, write)),
    )
    return await createFunnels(sql, writes).rebuild()
  } finally {
    connection.close()
  }
}
