// Creates bounded caches over lru-cache: the least recently used entry is dropped first; entries expire by an injected clock.

import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from './clock.ts'

export interface CacheOptions<K, V> {
  /** Maximum number of entries, or of the sum of their sizes when `sizeOf` is given. */
  maxSize: number
  /** Size of one entry. An entry larger than `maxSize` is not kept. */
  sizeOf?(value: V, key: K): number
  /** Default: the system's. */
  clock?: Clock
  /** Lifetime of an entry in milliseconds. Default: no end. */
  ttlMs?: number
}

export interface Cache<K, V> {
  /** Returns undefined when it was never set, has expired or was dropped. */
  get(key: K): V | undefined
  /** `endsAt`: epoch milliseconds; default: after `ttlMs`. */
  set(key: K, value: V, endsAt?: number): void
  delete(key: K): void
  clear(): void
  keys(): Iterable<K>
  values(): Iterable<V>
  /** Number of entries, including expired ones that were not read since. */
  readonly size: number
}

export function createCache<K extends {}, V extends {}>({
  maxSize,
  sizeOf = () => 1,
  clock = systemClock,
  ttlMs,
}: CacheOptions<K, V>): Cache<K, V> {
  // `max` in place of `maxSize` would allocate the memory of all entries at once.
  const entries = new LRUCache<K, V>({ maxSize, sizeCalculation: sizeOf, perf: clock, ttlResolution: 0 })
  return {
    get: (key) => entries.get(key),
    set(key, value, endsAt) {
      const lifetimeMs = endsAt === undefined ? ttlMs : endsAt - clock.now()
      if (lifetimeMs === undefined) entries.set(key, value)
      // lru-cache ends an entry one millisecond after its `ttl`, and never when that is 0.
      else if (lifetimeMs > 1) entries.set(key, value, { ttl: lifetimeMs - 1 })
      else entries.delete(key)
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    keys: () => entries.keys(),
    values: () => entries.values(),
    get size() {
      return entries.size
    },
  }
}
