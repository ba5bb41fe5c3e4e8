// Tests on SQLite that the members of earlier versions become people with their roles.

import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { loadDriver } from './sqlite/driver.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from './sqlite/sql.ts'
import { addFormerMembers, FORMER_MIGRATIONS, MIGRATED_MEMBERS, readMigrated } from './test/former-members.ts'

test('members from before migration 23 become one person for each address', async () => {
  const connection = (await loadDriver()).open(':memory:', 0)
  const sql = createSqliteSql(connection)
  const engine = createSqliteEngine(connection, sql)
  await migrate(engine, SQLITE, 0, FORMER_MIGRATIONS)
  await addFormerMembers(sql)
  await migrate(engine, SQLITE, 0)
  expect(await readMigrated(sql)).toEqual(MIGRATED_MEMBERS)
  connection.close()
})
