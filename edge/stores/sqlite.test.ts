// Runs the store suite over SQLite with both drivers.

import { openSqliteStores } from './sqlite.ts'
import { storeSuite } from './store.suite.ts'
import { DRIVERS } from './suite/drivers.ts'

for (const driver of DRIVERS) {
  storeSuite(`SQLite (${driver})`, (options) => openSqliteStores({ ...options, driver }))
}
