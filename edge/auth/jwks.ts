// The key sets of identity providers: cached, refreshed on an unknown key with a floor between fetches, kept when out of reach (contract section 4).

import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { createTtlMap } from '../lib/ttl-map.ts'

export type KeySet = ReturnType<typeof createLocalJWKSet>

export interface JwksDeps {
  /** The guarded fetch: a JWKS address is a customer's. */
  fetch(url: string): Promise<{ status: number; body: string }>
  clock: Clock
}

export interface Jwks {
  /** The key set, at most ten minutes old unless its server is out of reach. Throws `service/unavailable` when there is none. */
  get(url: string): Promise<KeySet>
  /** The key set read anew because it lacks a key; undefined when the floor between fetches forbids it or nothing newer can be had. */
  refresh(url: string): Promise<KeySet | undefined>
}

const FRESH_MS = 10 * 60 * 1000
/** Between two fetches that unknown keys ask for: a stranger's made-up `kid`s must not become a flood at the provider's. */
const REFRESH_FLOOR_MS = 10_000
/** After a fetch that failed: with a set to fall back on, and without. */
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
  /** The fetch under way, true when it brought a set: there is one at a time. */
  running: Promise<boolean> | undefined
}

export function createJwks({ fetch, clock }: JwksDeps): Jwks {
  const entries = createTtlMap<string, Entry>({ clock, maxEntries: MAX_SETS, ttlMs: KEPT_MS })

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
      if (status !== 200) throw new Error(`The JWKS answered ${status}.`)
      entry.keySet = createLocalJWKSet(parseKeySet(body))
      entry.fetchedAt = clock.now()
      return true
    } catch {
      // Whatever it was, it is the provider's: callers see 503, or the set that we have.
      entry.failedAt = clock.now()
      return false
    }
  }

  return {
    async get(url) {
      const entry = entryOf(url)
      const now = clock.now()
      // Who has a fresh set does not wait for a fetch that somebody's unknown key asked for.
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

/** The last failure lies far enough back. */
function isDue({ keySet, failedAt }: Entry, now: number): boolean {
  return now >= failedAt + (keySet === undefined ? RETRY_EMPTY_MS : RETRY_STALE_MS)
}

/** Only public keys of asymmetric kinds are kept. Throws when the text is no key set. */
function parseKeySet(text: string): JSONWebKeySet {
  const value: unknown = JSON.parse(text)
  const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
  if (!Array.isArray(keys)) throw new Error('The answer is no key set.')
  return { keys: keys.filter(isPublicKey).slice(0, MAX_KEYS) }
}

function isPublicKey(key: unknown): boolean {
  return typeof key === 'object' && key !== null && 'kty' in key && key.kty !== 'oct' && !('d' in key)
}
