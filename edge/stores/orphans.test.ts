// Tests on SQLite that a rebuild of the counters removes delivery events whose message was erased.

import { join } from 'node:path'
import { test } from 'vitest'
import { loadDriver } from './sqlite/driver.ts'
import { openSqliteStores } from './sqlite/stores.ts'
import { givenStore } from './test/given.ts'
import { COUNT_ORPHANS, expectOrphansRemoved } from './test/orphans.ts'

let path = ''
const given = givenStore((options) => {
  path = join(options.dataDir, 'store.db')
  return openSqliteStores(options)
})

test('a rebuild removes events without a message, keeps their counts, and corrects the other counters', async () => {
  const connection = (await loadDriver()).open(path, 10_000)
  try {
    await expectOrphansRemoved(given, {
      async run(...statements) {
        for (const statement of statements) connection.exec(statement)
      },
      async count() {
        const [row] = connection.prepare(COUNT_ORPHANS.replace('COUNT(*)', 'COUNT(*) AS count')).all([])
        return (row as { count: number }).count
      },
    })
  } finally {
    connection.close()
  }
})
