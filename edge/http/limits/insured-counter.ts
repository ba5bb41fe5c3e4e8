// A counter that all nodes share, with one in memory for when it is out of reach: limits never stop the service (contract section 1).

import type { CallCounter, Usage } from '../../domain/limits/call-limits.ts'
import type { Clock } from '../../lib/clock.ts'
import { withDeadline } from '../../lib/deadline.ts'

/** An answer that takes longer is not waited for; what has arrived by then is read first (`lib/deadline.ts`, 50 ms). */
const PATIENCE_MS = 50
/** After a failure this node counts by itself for so long. */
const APART_MS = 1000

export interface InsuredCounterDeps {
  shared: CallCounter
  /** Counts while the other cannot. */
  own: CallCounter
  clock: Clock
  onApart?(error: unknown): void
  /** In place of the patience below. For tests. */
  patienceMs?: number | undefined
}

/** Counts with `shared`; a fault or a delay of it costs one call 100 ms, and others nothing for a second. */
export function createInsuredCounter({
  shared,
  own,
  clock,
  onApart,
  patienceMs = PATIENCE_MS,
}: InsuredCounterDeps): CallCounter {
  let apartUntil = 0
  return {
    async add(key, points): Promise<Usage> {
      const now = clock.now()
      if (now < apartUntil && apartUntil - now <= APART_MS) return own.add(key, points)
      try {
        return await withDeadline((async () => shared.add(key, points))(), patienceMs, late)
      } catch (error) {
        apartUntil = clock.now() + APART_MS
        onApart?.(error)
        return own.add(key, points)
      }
    },
  }
}

const late = () => new Error('The shared counter did not answer in time.')
