// Runs the store suite over PostgreSQL, each store in its own database.

import { freshStore } from '../test/support/servers.ts'
import { openPostgresStores } from './postgres.ts'
import { storeSuite } from './test/store.suite.ts'

const databases = new Map<string, Promise<string>>()

/** The folder of the suite names the database, so that a reopened store is the same one. */
function databaseOf(dataDir: string): Promise<string> {
  const known = databases.get(dataDir) ?? freshStore()
  databases.set(dataDir, known)
  return known
}

storeSuite('PostgreSQL', async ({ dataDir, clock }) =>
  openPostgresStores({ url: await databaseOf(dataDir), clock, readNow: async () => clock.now() }),
)
