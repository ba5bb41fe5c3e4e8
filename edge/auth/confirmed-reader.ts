// Caches reads of keys for less than a second, so that a change takes effect within one second on every node.

import { ApiError } from '../lib/api-error.ts'
import { createCache } from '../lib/cache.ts'
import type { Clock } from '../lib/clock.ts'
import { withDeadline } from '../lib/deadline.ts'

// A change of keys takes effect within a second; the difference leaves time for one read.
const CONFIRMED_MS = 800
/** The result of a slower read is not used, as it may have changed since. */
const CONFIRM_LIMIT_MS = 1000

/** Creates a bounded read-through cache with one load at a time per key; loads begun before a `clear` are not cached. */
export function createConfirmedReader<K extends {}, V>(clock: Clock, maxSize: number, load: (key: K) => Promise<V>) {
  const entries = createCache<K, { value: V; at: number }>({ clock, maxSize })
  const loading = new Map<K, Promise<V>>()
  /** Loads that begin when the current load of their key has ended. */
  const upcoming = new Map<K, Promise<V>>()
  let generation = 0

  async function confirm(key: K, attempts = 2): Promise<{ value: V; at: number }> {
    const at = clock.now()
    const late = () => new Error('keys not read: timeout')
    const value = await withDeadline(load(key), CONFIRM_LIMIT_MS, late)
    const tookMs = clock.now() - at
    if (tookMs >= 0 && tookMs < CONFIRM_LIMIT_MS) return { value, at }
    // The process stood still, or the clock was set: try again.
    if (attempts > 1) return confirm(key, attempts - 1)
    throw late()
  }

  async function loadAnew(key: K): Promise<V> {
    const began = generation
    try {
      const confirmed = await confirm(key)
      if (generation === began) entries.set(key, confirmed, confirmed.at + CONFIRMED_MS)
      return confirmed.value
    } catch (cause) {
      throw new ApiError('service/unavailable', { message: 'The keys cannot be confirmed right now.' }, { cause })
    } finally {
      if (generation === began) loading.delete(key)
    }
  }

  function read(key: K): Promise<V> {
    const entry = entries.get(key)
    // An entry from the future is older than a backward step of the clock, so its age is unknown.
    if (entry !== undefined && entry.at <= clock.now()) return Promise.resolve(entry.value)
    return join(key)
  }

  function join(key: K): Promise<V> {
    const running = loading.get(key)
    if (running !== undefined) return running
    const started = loadAnew(key)
    loading.set(key, started)
    return started
  }

  async function joinNext(running: Promise<V> | undefined, key: K): Promise<V> {
    await running?.catch(() => {})
    upcoming.delete(key)
    return join(key)
  }

  return {
    read,
    /** Reads with a load that begins after this call; concurrent calls share it. */
    readAnew(key: K): Promise<V> {
      const next = upcoming.get(key) ?? joinNext(loading.get(key), key)
      upcoming.set(key, next)
      return next
    },
    clear() {
      generation++
      entries.clear()
      loading.clear()
    },
  }
}
