// Wires the rate limits and the counters behind them.

import { createRedisCounter } from '../bus/redis-counter.ts'
import type { CallCounter } from '../domain/limits/call-limits.ts'
import { createFallbackCounter } from '../http/limits/fallback-counter.ts'
import { createMemoryCounter } from '../http/limits/memory-counter.ts'
import { createRateLimits, type RateLimits } from '../http/limits/rate-limits.ts'
import type { Log } from '../lib/log.ts'
import type { AppCore, AppDeps } from './core.ts'
import type { Auth } from './wire-auth.ts'

export interface Counting {
  counter: CallCounter
  close(): void
}

export interface CountingDeps extends Pick<AppDeps, 'clock' | 'countTimeoutMs'> {
  settings: Pick<AppDeps['settings'], 'redisUrl'>
  stores: Pick<AppDeps['stores'], 'epoch'>
  log: Pick<Log, 'debug' | 'warn'>
}

/** Counts calls across all nodes with Redis; without it, and while it is unreachable, in this process. */
export function wireCounting({ settings, stores, clock, log, countTimeoutMs: timeoutMs }: CountingDeps): Counting {
  const local = createMemoryCounter(clock)
  if (settings.redisUrl === null) return { counter: local, close() {} }
  const shared = createRedisCounter({ url: settings.redisUrl, realm: stores.epoch })
  const onFallback = createFallbackLog(log)
  return { counter: createFallbackCounter({ shared, local, clock, onFallback, timeoutMs }), close: shared.close }
}

/**
 * Warns once for each error code with which Redis refuses to count (no permission, no memory, a replica).
 * Health checks detect an unreachable Redis, but not a refusal, which makes limits apply per node.
 */
function createFallbackLog(log: CountingDeps['log']): (error: unknown) => void {
  const logged = new Set<string>()
  return (error) => {
    const [code = ''] = error instanceof Error && error.name === 'ReplyError' ? error.message.split(' ') : []
    if (code === '' || logged.has(code))
      return log.debug('Redis did not count a call: this node counts alone', { error })
    logged.add(code)
    log.warn('Redis refuses to count calls: limits apply per node', { error })
  }
}

/** Creates the rate limits of the settings. */
export function wireRateLimits(core: AppCore, { keyRing }: Auth, counter: CallCounter): RateLimits {
  const { settings, topics, metrics } = core
  return createRateLimits({
    limits: settings.rateLimits,
    trustedProxies: settings.trustedProxies,
    counter,
    findEnvironment: keyRing.findEnvironment,
    // The sign-in behind it records the use.
    findByFrontKey: (value) => keyRing.findByFrontKey(value, { isCounted: false }),
    countSubscribers: topics.countSubscribers,
    onLimited: metrics.onRateLimited,
  })
}
