// Records the last use of each key, at most once a minute: it shows operators whether an old value can be retired.

import type { Core } from '../domain/core.ts'
import type { Secret } from '../domain/secret.ts'
import { createCache } from '../lib/cache.ts'

const RECORD_EVERY_MS = 60_000
const MAX_KEYS = 50_000

/** @returns A function that never waits and never fails: a failed write is repeated at the next use. */
export function createKeyUse({ secrets, clock }: Pick<Core, 'secrets' | 'clock'>) {
  const recorded = createCache<number, true>({ clock, maxSize: MAX_KEYS, ttlMs: RECORD_EVERY_MS })
  return function recordUse({ environmentId, id }: Pick<Secret, 'environmentId' | 'id'>): void {
    if (recorded.get(id)) return
    recorded.set(id, true)
    secrets.touch(environmentId, id, clock.now()).catch(() => recorded.delete(id))
  }
}
