// Counts calls in the memory of this process. Beyond a number of callers it drops the least recently used windows.

import { type CallCounter, LIMIT_WINDOW_MS, type Usage } from '../../domain/limits/call-limits.ts'
import { createCache } from '../../lib/cache.ts'
import type { Clock } from '../../lib/clock.ts'

/** About 20 MB when full. */
const MAX_KEYS = 100_000

interface Window {
  used: number
  endsAt: number
}

/** `RateLimiterMemory` of rate-limiter-flexible has no bound and takes no clock (docs/performance.md#tried-and-not-taken). */
export function createMemoryCounter(clock: Clock, maxKeys = MAX_KEYS): CallCounter {
  const windows = createCache<string, Window>({ clock, maxSize: maxKeys })
  return {
    add(key, points, windowMs = LIMIT_WINDOW_MS): Usage {
      const now = clock.now()
      let window = windows.get(key)
      // Starts a new window after the clock was set back, because the old one could last for hours.
      if (window === undefined || window.endsAt - now > windowMs) {
        window = { used: 0, endsAt: now + windowMs }
        windows.set(key, window, window.endsAt)
      }
      window.used = Math.max(0, window.used + points)
      return { used: window.used, resetMs: window.endsAt - now }
    },
  }
}
