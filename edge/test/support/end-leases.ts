// Ends the leases of a killed process at once, so that tests need not wait until they expire.

import type { Stores } from '../../domain/stores.ts'
import { RELEASE_WAITS } from '../../flow/resume/release-waits.ts'
import { FAN_OUT } from '../../flow/track/fan-out.ts'
import { systemClock } from '../../lib/clock.ts'
import { openPostgresStores } from '../../stores/postgres.ts'
import { openSqliteStores } from '../../stores/sqlite/stores.ts'

const LEASE_MS = 60_000

/** Makes claimed work due, as if a lease had passed. Only for a store that no process has open. */
export async function endLeases(dataDir: string, { DATABASE_URL: url }: Record<string, string>): Promise<void> {
  const clock = { now: () => systemClock.now() + LEASE_MS }
  const stores = await (url === undefined
    ? openSqliteStores({ dataDir, clock })
    : openPostgresStores({ url, clock, readNow: async () => clock.now() }))
  try {
    await releaseClaims(stores, clock.now())
  } finally {
    await stores.close()
  }
}

async function releaseClaims({ waits, jobs }: Stores, now: number): Promise<void> {
  const held = await claimAll(() => waits.claim(now, LEASE_MS, 500))
  await waits.release(held, systemClock.now(), null)
  for (const job of await claimAll(() => jobs.claim(now, LEASE_MS, 500, [FAN_OUT, RELEASE_WAITS]))) {
    await jobs.fail(job, 'Its process was killed.', systemClock.now())
  }
}

async function claimAll<T>(claim: () => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (let batch = await claim(); batch.length > 0; batch = await claim()) all.push(...batch)
  return all
}
