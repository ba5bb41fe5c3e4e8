// Caches successful answers for `cacheSeconds` of the enricher, within a bound of memory.

import type { Enricher, EnricherCall } from '../domain/enricher.ts'
import { createCache } from '../lib/cache.ts'
import { hashByValue } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'

const MAX_CHARS = 16 * 1024 * 1024

export interface ResultCache {
  /** JSON text of the data. */
  find(key: string): string | undefined
  keep(key: string, data: string, seconds: number): void
}

/** Memory that an entry needs beyond its text. */
const ENTRY_CHARS = 200

/** Caches in this process only: another node, and the next start, call again. */
export function createResultCache(clock: Clock, maxChars = MAX_CHARS): ResultCache {
  const sizeOf = (data: string, key: string) => key.length + data.length + ENTRY_CHARS
  const kept = createCache<string, string>({ clock, maxSize: maxChars, sizeOf })
  return {
    find: kept.get,
    keep: (key, data, seconds) => kept.set(key, data, clock.now() + seconds * 1000),
  }
}

/**
 * Identifies equal calls: the same enricher with the same settings, the same params, the same user with the same profile.
 * The event is not part of it, so a cached enricher answers by params and user only.
 */
export function cacheKeyOf(
  { environmentId, name, url, updatedAt }: Enricher,
  { params, user }: Pick<EnricherCall, 'params' | 'user'>,
): string {
  return hashByValue([environmentId, name, url, updatedAt, params, user])
}
