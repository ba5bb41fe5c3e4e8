// Caches the settings of enrichers until the bus reports a change.

import type { Bus } from '../domain/bus.ts'
import type { Enricher, EnricherRegistry } from '../domain/enricher.ts'
import { createCache } from '../lib/cache.ts'
import type { Clock } from '../lib/clock.ts'

/** A lost signal on the bus heals within this. */
const MAX_AGE_MS = 30_000
const MAX_KNOWN = 10_000

export interface KnownEnrichers {
  /** Only when it is at hand. */
  peek(environmentId: number, name: string): Enricher | undefined
  /** Rejects when the store cannot be read. */
  find(environmentId: number, name: string): Promise<Enricher | undefined>
  close(): void
}

export function createKnownEnrichers(deps: {
  registry: Pick<EnricherRegistry, 'find'>
  bus: Pick<Bus, 'subscribe'>
  clock: Clock
}): KnownEnrichers {
  const known = createCache<string, { enricher: Enricher | undefined }>({
    clock: deps.clock,
    maxSize: MAX_KNOWN,
    ttlMs: MAX_AGE_MS,
  })
  let generation = 0
  // Changes are rare and a reload is a read by key: any of them empties it all.
  const unsubscribe = deps.bus.subscribe('enrichers-changed', () => {
    generation++
    known.clear()
  })
  const keyOf = (environmentId: number, name: string) => `${environmentId}\n${name}`
  return {
    peek: (environmentId, name) => known.get(keyOf(environmentId, name))?.enricher,
    async find(environmentId, name) {
      const key = keyOf(environmentId, name)
      const kept = known.get(key)
      if (kept !== undefined) return kept.enricher
      const began = generation
      const enricher = await deps.registry.find(environmentId, name)
      // What was read while it changed serves who asked, and is not kept.
      if (generation === began) known.set(key, { enricher })
      return enricher
    },
    close: unsubscribe,
  }
}
