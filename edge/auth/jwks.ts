// Fetches and caches the key sets of identity providers. An unknown key refreshes a set; an unreachable server keeps it.

import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import type { Core } from '../domain/core.ts'
import { ApiError } from '../lib/api-error.ts'
import { createCache } from '../lib/cache.ts'
import { parseJson } from '../lib/read-json.ts'

export type KeySet = ReturnType<typeof createLocalJWKSet>

export interface Jwks {
  /** Returns a key set at most ten minutes old, or older while its server is unreachable. Throws `service/unavailable` without one. */
  get(url: string): Promise<KeySet>
  /** Fetches the key set again because it lacks a key; undefined when the last fetch is too recent or this one fails. */
  refresh(url: string): Promise<KeySet | undefined>
}

const FRESH_MS = 10 * 60 * 1000
/** Least time between two fetches for unknown keys: invented `kid`s must not flood the provider. */
const REFRESH_FLOOR_MS = 10_000
/** Pause after a failed fetch: with a cached set, and without. */
const RETRY_STALE_MS = 30_000
const RETRY_EMPTY_MS = 1000
const MAX_SETS = 10_000
const MAX_KEYS = 100
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

interface Entry {
  keySet: KeySet | undefined
  fetchedAt: number
  failedAt: number
  refreshedAt: number
  /** The one fetch in progress; resolves to true when it got a set. */
  running: Promise<boolean> | undefined
}

/** Creates the cache; a key set is fetched when it is first needed. */
export function createJwks({
  fetch,
  clock,
}: Pick<Core, 'clock'> & {
  /** The guarded fetch, as customers choose JWKS addresses. */
  fetch(url: string): Promise<{ status: number; body: string }>
}): Jwks {
  const entries = createCache<string, Entry>({ clock, maxSize: MAX_SETS, ttlMs: KEPT_MS })

  function entryOf(url: string): Entry {
    const entry = entries.get(url) ?? newEntry()
    entries.set(url, entry)
    return entry
  }

  function load(url: string, entry: Entry): Promise<boolean> {
    entry.running ??= fetchInto(url, entry).finally(() => {
      entry.running = undefined
    })
    return entry.running
  }

  async function fetchInto(url: string, entry: Entry): Promise<boolean> {
    try {
      const { status, body } = await fetch(url)
      if (status !== 200) throw new Error(`JWKS request failed: status ${status}`)
      entry.keySet = createLocalJWKSet(parseKeySet(body))
      entry.fetchedAt = clock.now()
      return true
    } catch {
      // Every error is the provider's: callers get 503, or the cached set.
      entry.failedAt = clock.now()
      return false
    }
  }

  return {
    async get(url) {
      const entry = entryOf(url)
      const now = clock.now()
      // With a fresh set, callers do not wait for a fetch that an unknown key of another caller started.
      const isFresh = entry.keySet !== undefined && now < entry.fetchedAt + FRESH_MS
      if (!isFresh && (entry.running !== undefined || isDue(entry, now))) await load(url, entry)
      if (entry.keySet !== undefined) return entry.keySet
      throw new ApiError('service/unavailable', {
        message: 'The keys of the identity provider cannot be read right now.',
        retryAfterSeconds: Math.ceil(RETRY_EMPTY_MS / 1000),
      })
    },
    async refresh(url) {
      const entry = entryOf(url)
      if (entry.running === undefined) {
        if (clock.now() < entry.refreshedAt + REFRESH_FLOOR_MS) return undefined
        entry.refreshedAt = clock.now()
      }
      return (await load(url, entry)) ? entry.keySet : undefined
    },
  }
}

function newEntry(): Entry {
  const never = Number.NEGATIVE_INFINITY
  return { keySet: undefined, fetchedAt: never, failedAt: never, refreshedAt: never, running: undefined }
}

/** Whether the pause after the last failure is over. */
function isDue({ keySet, failedAt }: Entry, now: number): boolean {
  return now >= failedAt + (keySet === undefined ? RETRY_EMPTY_MS : RETRY_STALE_MS)
}

/** Keeps only public keys of asymmetric kinds. Throws when the text is no key set. */
function parseKeySet(text: string): JSONWebKeySet {
  const value = parseJson(text)
  const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
  if (!Array.isArray(keys)) throw new Error('JWKS answer invalid: no list "keys"')
  return { keys: keys.filter(isPublicKey).slice(0, MAX_KEYS) }
}

function isPublicKey(key: unknown): boolean {
  return typeof key === 'object' && key !== null && 'kty' in key && key.kty !== 'oct' && !('d' in key)
}
