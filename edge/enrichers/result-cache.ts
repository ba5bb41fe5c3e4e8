// Good answers, kept for as long as the enricher says, within a bound of memory (contract section 8, `cacheSeconds`).

import type { Enricher, EnricherCall } from '../domain/enricher.ts'
import { hashByValue } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'

const MAX_CHARS = 16 * 1024 * 1024

export interface ResultCache {
  /** JSON text of the data. */
  find(key: string): string | undefined
  keep(key: string, data: string, seconds: number): void
}

/** In this process: another node, and the next start, ask anew. */
export function createResultCache(clock: Clock, maxChars = MAX_CHARS): ResultCache {
  const kept = new Map<string, { data: string; endsAt: number }>()
  let chars = 0

  function drop(key: string): void {
    chars -= sizeOf(key, kept.get(key)?.data)
    kept.delete(key)
  }
  return {
    find(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      if (clock.now() < entry.endsAt) return entry.data
      drop(key)
      return undefined
    },
    keep(key, data, seconds) {
      if (kept.has(key)) drop(key)
      kept.set(key, { data, endsAt: clock.now() + seconds * 1000 })
      chars += sizeOf(key, data)
      // The oldest go first; a single answer is far below the bound.
      for (const [oldest] of kept) {
        if (chars <= maxChars) break
        drop(oldest)
      }
    },
  }
}

/** A lasting entry costs more than its text. */
const ENTRY_CHARS = 200

function sizeOf(key: string, data: string | undefined): number {
  return data === undefined ? 0 : key.length + data.length + ENTRY_CHARS
}

/**
 * The same question: same enricher with the same settings, same params, same user with the same profile. The event is no part of it, so an enricher
 * that is cached answers for params and user alone.
 */
export function cacheKeyOf(
  { environmentId, name, url, updatedAt }: Enricher,
  { params, user }: Pick<EnricherCall, 'params' | 'user'>,
): string {
  return hashByValue([environmentId, name, url, updatedAt, params, user])
}
