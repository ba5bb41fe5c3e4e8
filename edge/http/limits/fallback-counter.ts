// Counts calls in a counter that all nodes share, or in a local one while the shared counter is unreachable.

import type { CallCounter, Usage } from '../../domain/limits/call-limits.ts'
import type { Clock } from '../../lib/clock.ts'
import { withDeadline } from '../../lib/deadline.ts'

/** Milliseconds that one call may take; `lib/deadline.ts` adds up to 50 ms to read data that has arrived. */
const TIMEOUT_MS = 50
/** Milliseconds for which this node counts locally after a failure. */
const FALLBACK_MS = 1000

export interface FallbackCounterDeps {
  shared: CallCounter
  local: CallCounter
  clock: Clock
  onFallback?(error: unknown): void
  /** Milliseconds, default 50. For tests. */
  timeoutMs?: number | undefined
}

/**
 * Creates a counter that uses `shared`. A failure delays one call by at most 100 ms, and no call of the next second.
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
    async add(...call): Promise<Usage> {
      const now = clock.now()
      if (now < fallbackUntil && fallbackUntil - now <= FALLBACK_MS) return local.add(...call)
      try {
        return await withDeadline((async () => shared.add(...call))(), timeoutMs, timeoutError)
      } catch (error) {
        fallbackUntil = clock.now() + FALLBACK_MS
        onFallback?.(error)
        return local.add(...call)
      }
    },
  }
}

const timeoutError = () => new Error('shared counter timed out')
