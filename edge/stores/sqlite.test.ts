// The store suite over SQLite with both drivers.

import { openSqliteStores } from './sqlite.ts'
import { storeSuite } from './store.suite.ts'

for (const driver of ['better-sqlite3', 'libsql'] as const) {
  storeSuite(`SQLite (${driver})`, (options) => openSqliteStores({ ...options, driver }))
}
