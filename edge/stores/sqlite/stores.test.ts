// Runs the store suite over SQLite with both drivers.

import { DRIVERS } from '../test/drivers.ts'
import { storeSuite } from '../test/store.suite.ts'
import { openSqliteStores } from './stores.ts'

for (const driver of DRIVERS) {
  storeSuite(`SQLite (${driver})`, (options) => openSqliteStores({ ...options, driver }))
}
