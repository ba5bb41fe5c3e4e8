// Requires that nothing was given up: a process that is killed at random is no fault of the work that it does.

import { expect } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { openStoresOf } from './open-stores.ts'

/** Only for a store that no process has open. */
export async function expectNoneGivenUp(dataDir: string, env: Record<string, string>): Promise<void> {
  const stores = await openStoresOf({ ...env, DATA_DIR: dataDir }, systemClock)
  try {
    expect(await stores.givenUps.list(null, 10)).toEqual([])
  } finally {
    await stores.close()
  }
}
