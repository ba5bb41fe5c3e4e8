// Reports whether other environments track events on this node now: then long work is done in smaller chunks.

import type { Clock } from '../../lib/clock.ts'

/** How long an environment counts as active after its latest event. */
const ACTIVE_MS = 1000

export interface ActiveTenants {
  /** Records an event of the environment. On the hot path: two comparisons. */
  record(environmentId: number): void
  hasOthers(environmentId: number): boolean
}

export function createActiveTenants(clock: Clock): ActiveTenants {
  let latest = { environmentId: 0, at: -Infinity }
  /** The latest event of any environment other than that of `latest`. */
  let other = { environmentId: 0, at: -Infinity }
  return {
    record(environmentId) {
      if (environmentId !== latest.environmentId) {
        const before = other
        other = latest
        latest = before
        latest.environmentId = environmentId
      }
      latest.at = clock.now()
    },
    hasOthers(environmentId) {
      const seen = latest.environmentId === environmentId ? other : latest
      return clock.now() - seen.at < ACTIVE_MS
    },
  }
}
