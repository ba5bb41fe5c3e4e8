// Resolves the value of a key to its environment, cached for less than a second.

import type { SecretKind } from '../../contract/tenant.ts'
import type { Core } from '../domain/core.ts'
import type { Environment } from '../domain/environment.ts'
import { isLive, type KeptSecret } from '../domain/secret.ts'
import { refuseClosed } from '../domain/tenant/closed.ts'
import { describeForeignKey, type Regions } from '../domain/tenant/region.ts'
import { ApiError } from '../lib/api-error.ts'
import { createCache } from '../lib/cache.ts'
import { sha256Hex } from '../lib/hmac.ts'
import { formatId } from '../lib/id.ts'
import type { AuthSecret } from './backend-token.ts'
import { createConfirmedReader } from './confirmed-reader.ts'
import { keyRegion } from './new-secret.ts'

const MAX_ENVIRONMENTS = 20_000
const MAX_KEYS = 50_000
const MAX_KEY_CHARS = 256
/** Opening a secret costs a hundred times a look-up. Values of retired secrets leave the memory after this time. */
const OPENED_MS = 10 * 60_000

/** `id` is the id of its row. */
export interface KeptAuthSecret extends AuthSecret {
  id: number
}

/** A live key and its environment. */
export interface FoundKey {
  environment: Environment
  secretId: number
}

export interface KeyRing {
  /** Returns undefined when unknown or retired; the caller checks whether the environment is disabled. */
  findBySdkKey(value: string): Promise<FoundKey | undefined>
  /** `isCounted` (default: true) records the use. */
  findByFrontKey(value: string, options?: { isCounted?: boolean }): Promise<FoundKey | undefined>
  /** Lists the live `authSecretKey`s, newest first: two during an overlap. */
  listAuthSecrets(environmentId: number): Promise<KeptAuthSecret[]>
  /** Lists the live values of `webhookSigningSecret`, newest first: two during an overlap. */
  listSigningSecrets(environmentId: number): Promise<string[]>
  isFrontKeyLive(environmentId: number, secretId: number): Promise<boolean>
  findEnvironment(environmentId: number): Promise<Environment | undefined>
  /** Reads the credentials of an environment's users again: a caller may use one created after the cached read. */
  refresh(environmentId: number): Promise<void>
}

type Retirable<T> = T & Pick<KeptSecret, 'retiresAt' | 'settledAt'>

/** Creates the key ring; all its calls throw `service/unavailable` when the store cannot answer in time. */
export function createKeyRing(
  deps: Pick<Core, 'secrets' | 'environments' | 'open' | 'clock' | 'bus'> & {
    /** Called for every live key that was found, to record its last use. */
    recordUse?(secret: Pick<KeptSecret, 'environmentId' | 'id'>): void
  },
): KeyRing {
  const { secrets, environments, clock } = deps
  const caches: { clear(): void }[] = []
  function cached<K extends {}, V>(maxSize: number, load: (key: K) => Promise<V>) {
    const reader = createConfirmedReader(clock, maxSize, load)
    caches.push(reader)
    return reader
  }

  const opened = createCache<string, string>({ clock, maxSize: MAX_KEYS, ttlMs: OPENED_MS })
  async function open(sealed: string): Promise<string> {
    const known = opened.get(sealed)
    if (known !== undefined) return known
    const value = await deps.open(sealed)
    opened.set(sealed, value)
    return value
  }

  const environmentOf = cached(MAX_ENVIRONMENTS, (id: number) => environments.find(id))
  const secretsByHash = {
    sdkSecretKey: cached(MAX_KEYS, (hash: string) => secrets.findByHash('sdkSecretKey', hash)),
    frontApiKey: cached(MAX_KEYS, (hash: string) => secrets.findByHash('frontApiKey', hash)),
  }
  const frontKeysOf = cached(MAX_ENVIRONMENTS, (id: number) => secrets.list(id, 'frontApiKey'))
  const sealedSecretsOf = (kind: 'authSecretKey' | 'webhookSigningSecret') =>
    cached(MAX_ENVIRONMENTS, async (id: number) =>
      Promise.all(
        // The sealed value of a retired secret may be deleted already.
        (await secrets.list(id, kind))
          .filter((secret) => isLive(secret, clock.now()))
          .map((secret) => openSecret(secret, open)),
      ),
    )
  const authSecretsOf = sealedSecretsOf('authSecretKey')
  const signingSecretsOf = sealedSecretsOf('webhookSigningSecret')
  // Any change clears all caches: changes are rare, a reload is a read by key, and an unknown key may just have been created.
  deps.bus.subscribe('environment-changed', () => {
    for (const cache of caches) cache.clear()
  })

  async function find(
    kind: keyof typeof secretsByHash & SecretKind,
    value: string,
    isCounted = true,
  ): Promise<FoundKey | undefined> {
    if (value.length > MAX_KEY_CHARS) return undefined
    const secret = await secretsByHash[kind].read(sha256Hex(value))
    if (secret === undefined || !isLive(secret, clock.now())) return undefined
    const environment = await environmentOf.read(secret.environmentId)
    if (environment === undefined) return undefined
    if (isCounted) deps.recordUse?.(secret)
    return { environment, secretId: secret.id }
  }

  return {
    findBySdkKey: (value) => find('sdkSecretKey', value),
    findByFrontKey: (value, { isCounted = true } = {}) => find('frontApiKey', value, isCounted),
    async listAuthSecrets(environmentId) {
      const all = await authSecretsOf.read(environmentId)
      return all.filter((secret) => isLive(secret, clock.now())).map(({ id, value, hash }) => ({ id, value, hash }))
    },
    async listSigningSecrets(environmentId) {
      const live = (await signingSecretsOf.read(environmentId)).filter((secret) => isLive(secret, clock.now()))
      for (const { id } of live) deps.recordUse?.({ environmentId, id })
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

/**
 * The second check of an sdkSecretKey, after its form: the body has the same key.
 * @throws ApiError 401; 403 when the keys differ by white space only, to distinguish a badly copied key from a missing one.
 */
export function requireSameKey(credential: string, inBody: unknown): void {
  if (inBody === credential) return
  const hasExtraSpace = typeof inBody === 'string' && inBody.replace(/\s+/g, '') === credential
  throw new ApiError(hasExtraSpace ? 'auth/invalid-authorization' : 'auth/tracking-secret-key')
}

/**
 * The last check of an sdkSecretKey.
 * @throws ApiError 403 for no live key, with the host of a foreign region; 401 when its environment is disabled, 503 when
 * it is closed.
 */
export function createResolveKey({ findBySdkKey, regions }: Pick<Core, 'regions'> & Pick<KeyRing, 'findBySdkKey'>) {
  return async function resolveKey(value: string): Promise<FoundKey> {
    refuseForeign(value, regions)
    const found = await findBySdkKey(value)
    if (found === undefined) throw new ApiError('auth/invalid-authorization')
    if (found.environment.disabledAt !== null) {
      throw new ApiError('auth/tracking-secret-key', { message: 'The environment of this sdkSecretKey is disabled.' })
    }
    refuseClosed(found.environment)
    return found
  }
}

/** Refuses keys of another region, also after a move of the store or a change of REGION: keys work only in their own region. */
function refuseForeign(value: string, regions: Regions): void {
  const message = describeForeignKey('sdkSecretKey', keyRegion(value), regions)
  if (message !== undefined) throw new ApiError('auth/invalid-authorization', { message })
}

async function openSecret(
  secret: KeptSecret,
  open: (sealed: string) => Promise<string>,
): Promise<Retirable<KeptAuthSecret>> {
  if (secret.sealed === null) throw new Error(`secret has no sealed value: ${formatId('secret', secret.id)}`)
  const { id, hash, retiresAt, settledAt } = secret
  return { id, value: await open(secret.sealed), hash, retiresAt, settledAt }
}
