// The limits of calls, wired.

import { createRedisCounter } from '../bus/redis-counter.ts'
import type { CallCounter } from '../domain/limits/call-limits.ts'
import { createInsuredCounter } from '../http/limits/insured-counter.ts'
import { createMemoryCounter } from '../http/limits/memory-counter.ts'
import { createRateLimits, type RateLimits } from '../http/limits/rate-limits.ts'
import type { AppDeps, Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

export interface Counting {
  counter: CallCounter
  close(): void
}

/** In this process; with Redis for all nodes together, and in this process while that is away. */
export function wireCounting({ settings, stores, clock, log, countPatienceMs: patienceMs }: AppDeps): Counting {
  const own = createMemoryCounter(clock)
  if (settings.redisUrl === null) return { counter: own, close() {} }
  const shared = createRedisCounter({ url: settings.redisUrl, realm: stores.epoch })
  const onApart = (error: unknown) => log.debug('Calls are counted by this node alone.', { error })
  return { counter: createInsuredCounter({ shared, own, clock, onApart, patienceMs }), close: shared.close }
}

export function wireRateLimits(core: Core, { keyRing }: Auth, counter: CallCounter): RateLimits {
  const { settings, stores, metrics } = core
  return createRateLimits({
    limits: settings.rateLimits,
    trustedProxies: settings.trustedProxies,
    counter,
    findEnvironment: keyRing.findEnvironment,
    findByFrontKey: keyRing.findByFrontKey,
    countSubscribers: stores.topics.countSubscribers,
    onLimited: metrics.onRateLimited,
  })
}
