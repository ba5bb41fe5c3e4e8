// Creates the bus that the settings select: within this process, or between nodes.

import { randomUUID } from 'node:crypto'
import { createMemoryBus } from '../bus/memory.ts'
import { createRedisBus } from '../bus/redis.ts'
import type { Bus, BusTopic } from '../domain/bus.ts'
import type { AppDeps } from './core.ts'
import { logChanges } from './log-changes.ts'

/** @returns The bus at once; with Redis, `isUp` is false until Redis is reachable. */
export function wireBus({
  settings,
  stores,
  log,
  metrics,
}: Pick<AppDeps, 'settings' | 'stores' | 'log' | 'metrics'>): Bus {
  const onListenerError = (error: unknown, topic: BusTopic) => log.error('bus listener failed', { error, kind: topic })
  const bus = openBus()
  logChanges(bus, log)
  return bus

  function openBus(): Bus {
    if (settings.redisUrl === null) return createMemoryBus({ onListenerError })
    const nodeId = randomUUID().slice(0, 8)
    return createRedisBus({
      url: settings.redisUrl,
      nodeId,
      realm: stores.epoch,
      log,
      onListenerError,
      onSignal: metrics.onBusSignal,
    })
  }
}
