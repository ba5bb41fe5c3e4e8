// Runs the store suite over SQLite with both drivers.

import { prepareEmptyStore } from '../../test/support/prepared-folders.ts'
import { DRIVERS } from '../test/drivers.ts'
import { storeSuite } from '../test/store.suite.ts'
import { openSqliteStores } from './stores.ts'

for (const driver of DRIVERS) {
  storeSuite(`SQLite (${driver})`, async (options) => {
    await prepareEmptyStore(options.dataDir)
    return openSqliteStores({ ...options, driver })
  })
}
