// The bus that the settings ask for: within this process, or between nodes.

import { randomUUID } from 'node:crypto'
import { createMemoryBus } from '../bus/memory.ts'
import { createRedisBus } from '../bus/redis.ts'
import type { Bus, BusTopic } from '../domain/bus.ts'
import type { AppDeps } from './core.ts'
import { tellChanges } from './tell-changes.ts'

/** Comes at once; with Redis it is up when that is in reach. */
export function wireBus({
  settings,
  stores,
  log,
  metrics,
}: Pick<AppDeps, 'settings' | 'stores' | 'log' | 'metrics'>): Bus {
  const onListenerError = (error: unknown, topic: BusTopic) =>
    log.error('a listener of the bus failed', { error, kind: topic })
  const bus = openBus()
  tellChanges(bus, log)
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
      onWord: metrics.onBusWord,
    })
  }
}
