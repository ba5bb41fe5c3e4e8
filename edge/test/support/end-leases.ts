// Ends the leases of a killed process at once, so that tests need not wait until they expire.

import type { Stores } from '../../domain/stores.ts'
import { RUN_DELIVERIES } from '../../flow/connector/begin-run.ts'
import { RELEASE_WAITS } from '../../flow/resume/release-waits.ts'
import { FAN_OUT } from '../../flow/track/fan-out.ts'
import { systemClock } from '../../lib/clock.ts'
import { openPostgresStores } from '../../stores/postgres.ts'
import { openSqliteStores } from '../../stores/sqlite/stores.ts'

const LEASE_MS = 60_000

/**
 * Makes claimed work due, and all that is due within `passedMs`, as if that time had passed; default: one lease.
 * Only for a store that no process has open.
 */
export async function endLeases(
  dataDir: string,
  { DATABASE_URL: url }: Record<string, string>,
  passedMs = LEASE_MS,
): Promise<void> {
  const clock = { now: () => systemClock.now() + passedMs }
  const stores = await (url === undefined
    ? openSqliteStores({ dataDir, clock })
    : openPostgresStores({ url, clock, readNow: async () => clock.now() }))
  try {
    await releaseClaims(stores, clock.now())
  } finally {
    await stores.close()
  }
}

async function releaseClaims({ waits, jobs, mails, commit }: Stores, now: number): Promise<void> {
  const held = await claimAll(() => waits.claim(now, LEASE_MS, 500))
  await waits.release(held, systemClock.now(), null)
  for (const job of await claimAll(() => jobs.claim(now, LEASE_MS, 500, [FAN_OUT, RELEASE_WAITS, RUN_DELIVERIES]))) {
    const now = systemClock.now()
    await jobs.fail(job, { error: 'Its process was killed.', now, retryAt: now, isCounted: false })
  }
  const claims = await claimAll(() => mails.claim(now, LEASE_MS, 500))
  const change = { does: 'release', at: systemClock.now() } as const
  // In portions, because the queue of plans has a limit.
  while (claims.length > 0) {
    await Promise.all(
      claims
        .splice(0, 1000)
        .map(({ messageId, environmentId, fence }) =>
          commit.mail({ kind: 'mail', environmentId, messageId, fence, now, change }),
        ),
    )
  }
}

async function claimAll<T>(claim: () => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (let batch = await claim(); batch.length > 0; batch = await claim()) all.push(...batch)
  return all
}
