// An empty store on the engine of this run, without a server: for tests of what stands on the store alone.

import type { Stores } from '../../domain/stores.ts'
import type { Clock } from '../../lib/clock.ts'
import { ENGINE, engineSettings } from './engine.ts'
import { openStoresOf } from './open-stores.ts'

export interface EngineStores {
  stores: Stores
  /** Settings of that store, for another process on it. */
  env: Record<string, string>
  /** Reading statements so far. */
  reads(): number
  /** Closes it and drops what was made. */
  close(): Promise<void>
}

/** An empty store on the engine of this run; `dataDir` is the caller's. */
export async function givenStores(dataDir: string, clock: Clock): Promise<EngineStores> {
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
    },
  }
}
