// The limits of calls, wired.

import { createMemoryCounter } from '../http/limits/memory-counter.ts'
import { createRateLimits, type RateLimits } from '../http/limits/rate-limits.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

export function wireRateLimits({ settings, clock, stores, metrics }: Core, { keyRing }: Auth): RateLimits {
  return createRateLimits({
    limits: settings.rateLimits,
    trustedProxies: settings.trustedProxies,
    counter: createMemoryCounter(clock),
    findEnvironment: keyRing.findEnvironment,
    findByFrontKey: keyRing.findByFrontKey,
    countSubscribers: stores.topics.countSubscribers,
    onLimited: metrics.onRateLimited,
  })
}
