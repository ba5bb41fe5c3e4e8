// Tests on SQLite that a deleted environment leaves no row in any table.

import { join } from 'node:path'
import { test } from 'vitest'
import { loadDriver } from './sqlite/driver.ts'
import { openSqliteStores } from './sqlite/stores.ts'
import { expectNothingLeft } from './test/environment-erasure.ts'
import { givenStore } from './test/given.ts'

let path = ''
const given = givenStore((options) => {
  path = join(options.dataDir, 'store.db')
  return openSqliteStores(options)
})

test('a deleted environment leaves no row in any table, and others keep all of theirs', async () => {
  const connection = (await loadDriver()).open(path, 10_000)
  try {
    await expectNothingLeft(given, {
      async run(...statements) {
        for (const statement of statements) connection.exec(statement)
      },
      count: async (froms) =>
        froms.map((from) => {
          const [row] = connection.prepare(`SELECT COUNT(*) AS count FROM ${from}`).all([])
          return Number((row as { count: number }).count)
        }),
    })
  } finally {
    connection.close()
  }
})
