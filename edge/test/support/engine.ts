// Which engine the journeys run on (`NC_TEST_ENGINE`), and the settings of an edge on it with a database of its own.

import { randomBytes } from 'node:crypto'
import { dropDatabase, freshDatabase, freshStore, startRedis } from './servers.ts'

/**
 * `sqlite` (default), or `postgres`: with Redis, as several nodes have it. A test about one engine alone stands in a file
 * `*.sqlite.test.ts` or `*.postgres.test.ts`, whose first line says why; all others run on both (docs/testing.md).
 */
export const ENGINE: 'sqlite' | 'postgres' = readEngine(process.env.NC_TEST_ENGINE ?? 'sqlite')

export interface EngineSettings {
  /** Beside DATA_DIR; empty on SQLite, which has its files there. */
  env: Record<string, string>
  /** Drops what was made. They would go with the test file anyway. */
  release(): Promise<void>
}

/** An empty store for one edge, or for several nodes that share it. Redis and tables: true unless told otherwise. */
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
