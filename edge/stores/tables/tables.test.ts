// Tests on SQLite that the described columns are those of the migrated tables.

import { afterAll, beforeAll } from 'vitest'
import { migrate } from '../migrate.ts'
import type { Sql } from '../sql/sql.ts'
import { loadDriver, type SqliteConnection } from '../sqlite/driver.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from '../sqlite/sql.ts'
import { tablesSuite } from '../test/tables.suite.ts'

let connection: SqliteConnection
let sql: Sql
beforeAll(async () => {
  connection = (await loadDriver()).open(':memory:', 0)
  sql = createSqliteSql(connection)
  await migrate(createSqliteEngine(connection, sql), SQLITE, 0)
})
afterAll(() => connection.close())

tablesSuite('SQLite', {
  sql: () => sql,
  async listTables() {
    const text = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
    return (connection.prepare(text).all([]) as { name: string }[]).map(({ name }) => name)
  },
  async listColumns(table) {
    const columns = connection.prepare(`PRAGMA table_info(${table})`).all([]) as {
      name: string
      type: string
      notnull: number
      pk: number
    }[]
    return columns.map(({ name, type, notnull, pk }) => {
      return { name, type: type === 'TEXT' ? 'text' : 'int', isNullable: notnull === 0 && pk === 0 }
    })
  },
})
