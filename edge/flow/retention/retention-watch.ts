// Measures for how long details have been older than their retention.

import type { Clock } from '../../lib/clock.ts'
import type { PurgeExpired } from './purge-expired.ts'

export interface RetentionWatch {
  /** Watches the turns of retention. */
  watch(turn: PurgeExpired['turn']): PurgeExpired['turn']
  /** @returns Milliseconds since the first turn that left something, or failed; 0 when the last one left nothing. */
  behindMs(): number
}

export function createRetentionWatch(clock: Clock): RetentionWatch {
  let behindSince: number | undefined
  return {
    watch: (turn) => async () => {
      const startedAt = clock.now()
      let isDone = false
      try {
        const report = await turn()
        isDone = report.done
        return report
      } finally {
        behindSince = isDone ? undefined : (behindSince ?? startedAt)
      }
    },
    behindMs: () => (behindSince === undefined ? 0 : Math.max(0, clock.now() - behindSince)),
  }
}
