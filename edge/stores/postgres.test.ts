// Runs the store suite over PostgreSQL, each store in its own database.

import { dropDatabase, freshStore } from '../test/support/servers.ts'
import { openPostgresStores } from './postgres.ts'
import type { OpenStores } from './test/given.ts'
import { storeSuite } from './test/store.suite.ts'

/** By the folder of a suite, so that a reopened store is the same one. */
const databases = new Map<string, Promise<string>>()

const open: OpenStores = async ({ dataDir, clock }) => {
  const database = databases.get(dataDir) ?? freshStore()
  databases.set(dataDir, database)
  return openPostgresStores({ url: await database, clock, readNow: async () => clock.now() })
}
/** The next suite takes the emptied database, which is quicker than a new one. */
const release = async (dataDir: string) => {
  const database = await databases.get(dataDir)
  if (database !== undefined) await dropDatabase(database)
}

storeSuite('PostgreSQL', Object.assign(open, { release }))
