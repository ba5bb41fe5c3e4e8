// Selects the engine of the journeys (`NC_TEST_ENGINE`), and creates settings for an edge with its own database.

import { randomBytes } from 'node:crypto'
import { dropDatabase, freshDatabase, freshStore, startRedis } from './servers.ts'

/**
 * `sqlite` (default), or `postgres` with Redis, like several nodes. A test for one engine is in a file
 * `*.sqlite.test.ts` or `*.postgres.test.ts` whose first comment states why; all others run on both (docs/testing.md).
 */
export const ENGINE: 'sqlite' | 'postgres' = readEngine(process.env.NC_TEST_ENGINE ?? 'sqlite')

export interface EngineSettings {
  /** Settings besides DATA_DIR; empty on SQLite, whose files are there. */
  env: Record<string, string>
  /** Drops the database before the test file ends, which would drop it anyway. */
  release(): Promise<void>
}

/** Creates an empty store for one edge or several nodes, by default with Redis and tables. */
export async function engineSettings(
  engine = ENGINE,
  { withRedis = true, withTables = true } = {},
): Promise<EngineSettings> {
  if (engine === 'sqlite') return { env: {}, release: async () => {} }
  const [databaseUrl, redis] = await Promise.all([
    withTables ? freshStore() : freshDatabase(),
    withRedis ? startRedis() : undefined,
  ])
  const env = { DATABASE_URL: databaseUrl, MASTER_KEY: randomBytes(32).toString('base64') }
  return {
    env: redis === undefined ? env : { ...env, REDIS_URL: redis.url },
    async release() {
      await Promise.all([dropDatabase(databaseUrl), redis?.remove()])
    },
  }
}

function readEngine(name: string): 'sqlite' | 'postgres' {
  if (name !== 'sqlite' && name !== 'postgres') throw new Error(`NC_TEST_ENGINE is sqlite or postgres, not ${name}`)
  return name
}
