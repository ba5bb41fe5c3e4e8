// Counts calls in a counter shared by all nodes, and in a local one while that is unreachable: limits never stop the service.

import type { CallCounter, Usage } from '../../domain/limits/call-limits.ts'
import type { Clock } from '../../lib/clock.ts'
import { withDeadline } from '../../lib/deadline.ts'

/** Limit of one call; data that has arrived by then is still read first (`lib/deadline.ts`, 50 ms more). */
const TIMEOUT_MS = 50
/** After a failure this node counts locally for this long. */
const FALLBACK_MS = 1000

export interface FallbackCounterDeps {
  shared: CallCounter
  local: CallCounter
  clock: Clock
  onFallback?(error: unknown): void
  /** For tests. Default 50. */
  timeoutMs?: number | undefined
}

/**
 * Creates a counter that uses `shared`; its failure delays one call by at most 100 ms, and the calls of the next second not at all.
 * `insuranceLimiter` of rate-limiter-flexible delays every call while Redis hangs (docs/performance.md#tried-and-not-taken).
 */
export function createFallbackCounter({
  shared,
  local,
  clock,
  onFallback,
  timeoutMs = TIMEOUT_MS,
}: FallbackCounterDeps): CallCounter {
  let fallbackUntil = 0
  return {
    async add(key, points): Promise<Usage> {
      const now = clock.now()
      if (now < fallbackUntil && fallbackUntil - now <= FALLBACK_MS) return local.add(key, points)
      try {
        return await withDeadline((async () => shared.add(key, points))(), timeoutMs, timeoutError)
      } catch (error) {
        fallbackUntil = clock.now() + FALLBACK_MS
        onFallback?.(error)
        return local.add(key, points)
      }
    },
  }
}

const timeoutError = () => new Error('The shared counter did not answer in time.')
