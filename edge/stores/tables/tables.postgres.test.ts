// Tests on PostgreSQL that the described columns are those of the migrated tables.

import { afterAll, beforeAll } from 'vitest'
import { freshStore } from '../../test/support/servers.ts'
import { type Connection, openConnection } from '../postgres/connection.ts'
import { plainSql } from '../postgres/prepare.ts'
import { tablesSuite } from '../test/tables.suite.ts'

let connection: Connection
beforeAll(async () => {
  connection = await openConnection({ url: await freshStore(), deadlineMs: 10_000 })
})
afterAll(() => connection.destroy('done'))

tablesSuite('PostgreSQL', {
  sql: () => plainSql(connection),
  async listTables() {
    const text = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`
    return (await plainSql(connection).all<{ name: string }>(text)).map(({ name }) => name)
  },
  async listColumns(table) {
    const columns = await plainSql(connection).all<{ name: string; type: string; nullable: string }>(
      `SELECT column_name AS name, data_type AS type, is_nullable AS nullable FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = ?`,
      [table],
    )
    return columns.map(({ name, type, nullable }) => {
      return { name, type: type === 'text' ? 'text' : 'int', isNullable: nullable === 'YES' }
    })
  },
})
