// Runs the store suite over SQLite with the driver that a server takes; `stores.deep.test.ts` runs it with libsql.

import { prepareEmptyStore } from '../../test/support/prepared-folders.ts'
import { DRIVERS } from '../test/drivers.ts'
import { storeSuite } from '../test/store.suite.ts'
import { openSqliteStores } from './stores.ts'

const [driver] = DRIVERS
storeSuite(`SQLite (${driver})`, async (options) => {
  await prepareEmptyStore(options.dataDir)
  return openSqliteStores({ ...options, driver })
})
