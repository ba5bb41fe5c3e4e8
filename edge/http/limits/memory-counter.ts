// Counts calls in this process, for as many callers as memory allows (contract section 1): a flood of strangers pushes out the oldest windows.

import { type CallCounter, LIMIT_WINDOW_MS, type Usage } from '../../domain/limits/call-limits.ts'
import type { Clock } from '../../lib/clock.ts'
import { createTtlMap } from '../../lib/ttl-map.ts'

/** About 20 MB when full. */
const MAX_KEYS = 100_000

interface Window {
  used: number
  endsAt: number
}

export function createMemoryCounter(clock: Clock, maxKeys = MAX_KEYS): CallCounter {
  const windows = createTtlMap<string, Window>({ clock, maxEntries: maxKeys, ttlMs: LIMIT_WINDOW_MS })
  return {
    add(key, points): Usage {
      const now = clock.now()
      let window = windows.get(key)
      // A clock that was set back must not make a window last for hours.
      if (window === undefined || window.endsAt - now > LIMIT_WINDOW_MS) {
        window = { used: 0, endsAt: now + LIMIT_WINDOW_MS }
        windows.set(key, window, window.endsAt)
      }
      window.used = Math.max(0, window.used + points)
      return { used: window.used, resetMs: window.endsAt - now }
    },
  }
}
