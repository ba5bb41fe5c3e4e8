// From a key's value to its environment, held in memory for less than a second (contract section 2: every node refuses a
// retired key within one second, and answers 503 when it could not confirm its keys for that long).

import type { Bus } from '../domain/bus.ts'
import type { Environment, Environments } from '../domain/environment.ts'
import { isLive, type KeptSecret, type SecretKind, type Secrets } from '../domain/secret.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { withDeadline } from '../lib/deadline.ts'
import { sha256Hex } from '../lib/hmac.ts'
import { createTtlMap, type TtlMap } from '../lib/ttl-map.ts'
import type { AuthSecret } from './backend-token.ts'

// Below the second of the contract by more than a read takes.
const CONFIRMED_MS = 800
/** A read that took longer confirms nothing: what it says may have changed since. */
const CONFIRM_LIMIT_MS = 1000
const MAX_ENVIRONMENTS = 20_000
const MAX_KEYS = 50_000
const MAX_KEY_CHARS = 256

export interface KeyRingDeps {
  secrets: Secrets
  environments: Environments
  sealer: { open(sealed: string): string }
  clock: Clock
  bus: Bus
  /** Told of every key that was found live, for when it was last used. */
  noteUse?(secretId: number): void
}

/** `id` is that of its row. */
export interface KeptAuthSecret extends AuthSecret {
  id: number
}

/** A live key and whose it is. */
export interface FoundKey {
  environment: Environment
  secretId: number
}

export interface KeyRing {
  /** Undefined when unknown or retired; the caller judges whether the environment is disabled. */
  findBySdkKey(value: string): Promise<FoundKey | undefined>
  findByFrontKey(value: string): Promise<FoundKey | undefined>
  /** The live `authSecretKey`s, both of an overlap, newest first. */
  listAuthSecrets(environmentId: number): Promise<KeptAuthSecret[]>
  /** The live values of `webhookSigningSecret`, both of an overlap, newest first. */
  listSigningSecrets(environmentId: number): Promise<string[]>
  isFrontKeyLive(environmentId: number, secretId: number): Promise<boolean>
  findEnvironment(environmentId: number): Promise<Environment | undefined>
  /** Reads anew what vouches for an environment's users: a caller may have what was made since memory was read. */
  refresh(environmentId: number): Promise<void>
}

type Lived<T> = T & Pick<KeptSecret, 'retiresAt' | 'settledAt'>

/** All calls throw `service/unavailable` when the store cannot confirm what is asked. */
export function createKeyRing(deps: KeyRingDeps): KeyRing {
  const { secrets, environments, clock } = deps
  const caches: { clear(): void }[] = []
  function cached<K, V>(maxEntries: number, load: (key: K) => Promise<V>) {
    const reader = createConfirmedReader(clock, maxEntries, load)
    caches.push(reader)
    return reader
  }

  const environmentOf = cached(MAX_ENVIRONMENTS, (id: number) => environments.find(id))
  const secretsByHash = {
    sdkSecretKey: cached(MAX_KEYS, (hash: string) => secrets.findByHash('sdkSecretKey', hash)),
    frontApiKey: cached(MAX_KEYS, (hash: string) => secrets.findByHash('frontApiKey', hash)),
  }
  const frontKeysOf = cached(MAX_ENVIRONMENTS, (id: number) => secrets.list(id, 'frontApiKey'))
  const sealedSecretsOf = (kind: 'authSecretKey' | 'webhookSigningSecret') =>
    cached(MAX_ENVIRONMENTS, async (id: number) =>
      // A retired one may have lost its sealed value already.
      (await secrets.list(id, kind))
        .filter((secret) => isLive(secret, clock.now()))
        .map((secret) => openSecret(secret, deps.sealer)),
    )
  const authSecretsOf = sealedSecretsOf('authSecretKey')
  const signingSecretsOf = sealedSecretsOf('webhookSigningSecret')
  // Any change empties them all: it is rare, a reload is a read by key, and an unknown key may just have been made.
  deps.bus.subscribe('environment-changed', () => {
    for (const cache of caches) cache.clear()
  })

  async function find(kind: keyof typeof secretsByHash & SecretKind, value: string): Promise<FoundKey | undefined> {
    if (value.length > MAX_KEY_CHARS) return undefined
    const secret = await secretsByHash[kind].read(sha256Hex(value))
    if (secret === undefined || !isLive(secret, clock.now())) return undefined
    const environment = await environmentOf.read(secret.environmentId)
    if (environment === undefined) return undefined
    deps.noteUse?.(secret.id)
    return { environment, secretId: secret.id }
  }

  return {
    findBySdkKey: (value) => find('sdkSecretKey', value),
    findByFrontKey: (value) => find('frontApiKey', value),
    async listAuthSecrets(environmentId) {
      const all = await authSecretsOf.read(environmentId)
      return all.filter((secret) => isLive(secret, clock.now())).map(({ id, value, hash }) => ({ id, value, hash }))
    },
    async listSigningSecrets(environmentId) {
      const live = (await signingSecretsOf.read(environmentId)).filter((secret) => isLive(secret, clock.now()))
      for (const { id } of live) deps.noteUse?.(id)
      return live.map(({ value }) => value)
    },
    async isFrontKeyLive(environmentId, secretId) {
      const all = await frontKeysOf.read(environmentId)
      return all.some((secret) => secret.id === secretId && isLive(secret, clock.now()))
    },
    findEnvironment: environmentOf.read,
    async refresh(environmentId) {
      await Promise.all([environmentOf, frontKeysOf, authSecretsOf].map((reader) => reader.readAnew(environmentId)))
    },
  }
}

function openSecret(secret: KeptSecret, sealer: KeyRingDeps['sealer']): Lived<KeptAuthSecret> {
  if (secret.sealed === null) throw new Error('A secret is kept without its sealed value.')
  const { id, hash, retiresAt, settledAt } = secret
  return { id, value: sealer.open(secret.sealed), hash, retiresAt, settledAt }
}

/** Reads through a bounded cache; one load at a time per key, and none that began before a `clear` is kept. */
function createConfirmedReader<K, V>(clock: Clock, maxEntries: number, load: (key: K) => Promise<V>) {
  const entries: TtlMap<K, { value: V; at: number }> = createTtlMap({ clock, maxEntries, ttlMs: CONFIRMED_MS })
  const loading = new Map<K, Promise<V>>()
  /** Those that begin when the load under way has ended. */
  const upcoming = new Map<K, Promise<V>>()
  let generation = 0

  async function confirm(key: K, attempts = 2): Promise<{ value: V; at: number }> {
    const at = clock.now()
    const late = () => new Error('The store did not answer in time.')
    const value = await withDeadline(load(key), CONFIRM_LIMIT_MS, late)
    const tookMs = clock.now() - at
    if (tookMs >= 0 && tookMs < CONFIRM_LIMIT_MS) return { value, at }
    // The process stood still, or the clock was set: once more.
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
    // An entry from the future is one from before the clock was set back: nobody knows its age.
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
    /** By a load that begins after this call; all who ask meanwhile share it. */
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
