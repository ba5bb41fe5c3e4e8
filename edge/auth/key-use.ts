// When each key was last used, noted at most once a minute: what tells an operator that an old value can be retired (contract section 2).

import type { Secrets } from '../domain/secret.ts'
import type { Clock } from '../lib/clock.ts'
import { createTtlMap } from '../lib/ttl-map.ts'

const NOTED_EVERY_MS = 60_000
const MAX_KEYS = 50_000

/** Never waits and never fails: a note that could not be written is made at the next use. */
export function createKeyUse({ secrets, clock }: { secrets: Pick<Secrets, 'touch'>; clock: Clock }) {
  const noted = createTtlMap<number, true>({ clock, maxEntries: MAX_KEYS, ttlMs: NOTED_EVERY_MS })
  return function noteUse(secretId: number): void {
    if (noted.get(secretId)) return
    noted.set(secretId, true)
    secrets.touch(secretId, clock.now()).catch(() => noted.delete(secretId))
  }
}
