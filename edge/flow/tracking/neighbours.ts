// Whether other environments are tracking on this node now: then long work of one of them goes in smaller pieces, so that nobody else waits long (contract section 3, fan-out).

import type { Clock } from '../../lib/clock.ts'

/** Who was here so recently is here. */
const HERE_MS = 1000

export interface Neighbours {
  /** An event of this environment has come. On the hot path: two comparisons. */
  note(environmentId: number): void
  hasOthers(environmentId: number): boolean
}

export function createNeighbours(clock: Clock): Neighbours {
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
