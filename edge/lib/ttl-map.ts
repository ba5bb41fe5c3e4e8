// A bounded map whose entries end: nothing that a stranger sends can make it grow without limit.

import type { Clock } from './clock.ts'

export interface TtlMapOptions {
  clock: Clock
  /** Entries beyond it push out the one that was set first. */
  maxEntries: number
  /** Milliseconds that an entry lives when `set` does not say when it ends. */
  ttlMs: number
}

export interface TtlMap<K, V> {
  /** Undefined when it was never set or has ended. */
  get(key: K): V | undefined
  /** `endsAt`: epoch milliseconds. */
  set(key: K, value: V, endsAt?: number): void
  delete(key: K): void
  clear(): void
  /** Entries held, ended ones that nobody asked for included. */
  readonly size: number
}

export function createTtlMap<K, V>({ clock, maxEntries, ttlMs }: TtlMapOptions): TtlMap<K, V> {
  const entries = new Map<K, { value: V; endsAt: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (clock.now() < entry.endsAt) return entry.value
      entries.delete(key)
      return undefined
    },
    set(key, value, endsAt = clock.now() + ttlMs) {
      // Deleted first, so that a refreshed entry counts as the youngest.
      entries.delete(key)
      entries.set(key, { value, endsAt })
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value as K)
    },
    delete(key) {
      entries.delete(key)
    },
    clear() {
      entries.clear()
    },
    get size() {
      return entries.size
    },
  }
}
