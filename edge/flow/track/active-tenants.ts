// Reports whether other environments are tracking on this node now: then long work goes in smaller pieces.

import type { Clock } from '../../lib/clock.ts'

/** An environment is active for so long after its latest event. */
const HERE_MS = 1000

export interface ActiveTenants {
  /** An event of this environment has come. On the hot path: two comparisons. */
  note(environmentId: number): void
  hasOthers(environmentId: number): boolean
}

export function createActiveTenants(clock: Clock): ActiveTenants {
  let latest = { environmentId: 0, at: -Infinity }
  /** The latest of another environment than `latest`. */
  let other = { environmentId: 0, at: -Infinity }
  return {
    note(environmentId) {
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
      return clock.now() - seen.at < HERE_MS
    },
  }
}
