// Opens an empty store on the engine of this run, without a server.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stores } from '../../domain/stores.ts'
import type { Clock } from '../../lib/clock.ts'
import { ENGINE, engineSettings } from './engine.ts'
import { openStoresOf } from './open-stores.ts'
import { prepareEmptyStore } from './prepared-folders.ts'

export interface EngineStores {
  stores: Stores
  /** Settings of the store, for another process. */
  env: Record<string, string>
  /** Number of read statements so far. */
  reads(): number
  /** Closes the store, and removes its folder and database. */
  close(): Promise<void>
}

/** Opens an empty store on the engine of this run, without a server. */
export async function givenStores(clock: Clock): Promise<EngineStores> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stores-test-'))
  if (ENGINE === 'sqlite') await prepareEmptyStore(dataDir)
  const engine = await engineSettings(ENGINE, { withRedis: false })
  const env = { ...engine.env, DATA_DIR: dataDir }
  let reads = 0
  const stores = await openStoresOf(env, clock, { onRead: () => void reads++, onBatch() {} })
  return {
    stores,
    env,
    reads: () => reads,
    async close() {
      await stores.close()
      await engine.release()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
