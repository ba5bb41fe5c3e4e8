// The limits of calls, wired.

import { createRedisCounter } from '../bus/redis-counter.ts'
import type { CallCounter } from '../domain/limits/call-limits.ts'
import { createInsuredCounter } from '../http/limits/insured-counter.ts'
import { createMemoryCounter } from '../http/limits/memory-counter.ts'
import { createRateLimits, type RateLimits } from '../http/limits/rate-limits.ts'
import type { Log } from '../lib/log.ts'
import type { AppDeps, Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

export interface Counting {
  counter: CallCounter
  close(): void
}

export interface CountingDeps extends Pick<AppDeps, 'clock' | 'countPatienceMs'> {
  settings: Pick<AppDeps['settings'], 'redisUrl'>
  stores: Pick<AppDeps['stores'], 'epoch'>
  log: Pick<Log, 'debug' | 'warn'>
}

/** In this process; with Redis for all nodes together, and in this process while that is away. */
export function wireCounting({ settings, stores, clock, log, countPatienceMs: patienceMs }: CountingDeps): Counting {
  const own = createMemoryCounter(clock)
  if (settings.redisUrl === null) return { counter: own, close() {} }
  const shared = createRedisCounter({ url: settings.redisUrl, realm: stores.epoch })
  const onApart = createTellApart(log)
  return { counter: createInsuredCounter({ shared, own, clock, onApart, patienceMs }), close: shared.close }
}

/**
 * That Redis is away others tell. One that answers, and says no (a right that is missing, no memory, a replica), is well for
 * them: limits would hold for each node alone, and nobody would know.
 */
function createTellApart(log: CountingDeps['log']): (error: unknown) => void {
  const told = new Set<string>()
  return (error) => {
    const [word = ''] = error instanceof Error && error.name === 'ReplyError' ? error.message.split(' ') : []
    if (word === '' || told.has(word)) return log.debug('Calls are counted by this node alone.', { error })
    told.add(word)
    log.warn('Redis refuses to count calls: limits hold for each node alone.', { error })
  }
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
