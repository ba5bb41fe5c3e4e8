// A counter that all nodes share, with one in memory for when it is out of reach: limits never stop the service (contract section 1).

import { setTimeout as delay } from 'node:timers/promises'
import type { CallCounter, Usage } from '../../domain/limits/call-limits.ts'
import type { Clock } from '../../lib/clock.ts'

/** An answer that takes longer is not waited for. */
const PATIENCE_MS = 100
/** After a failure this node counts by itself for so long. */
const APART_MS = 1000

export interface InsuredCounterDeps {
  shared: CallCounter
  /** Counts while the other cannot. */
  own: CallCounter
  clock: Clock
  onApart?(error: unknown): void
}

/** Counts with `shared`; a fault or a delay of it costs one call 100 ms, and others nothing for a second. */
export function createInsuredCounter({ shared, own, clock, onApart }: InsuredCounterDeps): CallCounter {
  let apartUntil = 0
  return {
    async add(key, points): Promise<Usage> {
      const now = clock.now()
      if (now < apartUntil && apartUntil - now <= APART_MS) return own.add(key, points)
      try {
        return await within(PATIENCE_MS, async () => shared.add(key, points))
      } catch (error) {
        apartUntil = clock.now() + APART_MS
        onApart?.(error)
        return own.add(key, points)
      }
    },
  }
}

async function within<T>(patienceMs: number, work: () => Promise<T>): Promise<T> {
  const given = new AbortController()
  const late = delay(patienceMs, undefined, { signal: given.signal, ref: false }).then(() => {
    throw new Error('The shared counter did not answer in time.')
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    given.abort()
    late.catch(() => {})
  }
}
