// Caches the settings of enrichers until the bus reports a change.

import type { Bus } from '../domain/bus.ts'
import type { Enricher, EnricherRegistry } from '../domain/enricher.ts'
import { createCache } from '../lib/cache.ts'
import type { Clock } from '../lib/clock.ts'

/** Limits how long a lost signal of the bus leaves old settings in use. */
const MAX_AGE_MS = 30_000
const MAX_KNOWN = 10_000

export interface KnownEnrichers {
  /** Returns the enricher only when it is cached; undefined else. */
  peek(environmentId: number, name: string): Enricher | undefined
  /** Returns undefined for an unknown name. Rejects when the store cannot be read. */
  find(environmentId: number, name: string): Promise<Enricher | undefined>
  close(): void
}

export function createKnownEnrichers(deps: {
  enrichers: Pick<EnricherRegistry, 'find'>
  bus: Pick<Bus, 'subscribe'>
  clock: Clock
}): KnownEnrichers {
  const known = createCache<string, { enricher: Enricher | undefined }>({
    clock: deps.clock,
    maxSize: MAX_KNOWN,
    ttlMs: MAX_AGE_MS,
  })
  let generation = 0
  // Any change clears the whole cache: changes are rare, and a reload is a read by key.
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
      const enricher = await deps.enrichers.find(environmentId, name)
      // A value that was read during a change is returned, but not cached.
      if (generation === began) known.set(key, { enricher })
      return enricher
    },
    close: unsubscribe,
  }
}
