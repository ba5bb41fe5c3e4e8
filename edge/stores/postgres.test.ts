// Runs the store suite over PostgreSQL, each store in a database of its own.

import { freshStore } from '../test/support/servers.ts'
import { openPostgresStores } from './postgres.ts'
import { storeSuite } from './store.suite.ts'

const databases = new Map<string, Promise<string>>()

/** The folder of the suite names the store: opened again it is the same one. */
function databaseOf(dataDir: string): Promise<string> {
  const known = databases.get(dataDir) ?? freshStore()
  databases.set(dataDir, known)
  return known
}

storeSuite('PostgreSQL', async ({ dataDir, clock }) =>
  openPostgresStores({ url: await databaseOf(dataDir), clock, readNow: async () => clock.now() }),
)
