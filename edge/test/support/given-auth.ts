// Sets up sign-in: a real store, bus, keys, tokens and HTTP server with a test clock.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ErrorBody } from '../../../contract/errors.ts'
import type { IdentityProvider } from '../../../contract/resources/token-keys.ts'
import { findSigningKey } from '../../auth/backend-token.ts'
import { createJwks } from '../../auth/jwks.ts'
import { createJwtVerifier } from '../../auth/jwt.ts'
import { createKeyRing } from '../../auth/key-ring.ts'
import { deriveSessionKey } from '../../auth/master-key.ts'
import { keyRegion, newSecretValue } from '../../auth/new-secret.ts'
import { isOriginAllowed } from '../../auth/origins.ts'
import { createIsSessionValid } from '../../auth/session-validity.ts'
import { createWidgetSessions } from '../../auth/widget-session.ts'
import { createMemoryBus } from '../../bus/memory.ts'
import { createCreateEnvironment, type EnvironmentDraft } from '../../flow/tenant/create-environment.ts'
import { createFindAppearance } from '../../flow/tenant/find-appearance.ts'
import { createLiveCampaigns } from '../../flow/track/live-campaigns.ts'
import { createSignInUser } from '../../flow/users/sign-in-user.ts'
import { createIdSource } from '../../lib/id.ts'
import { createGuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { createSealer } from '../../lib/seal.ts'
import { DRAFT } from './draft-environment.ts'
import { givenStores } from './engine-stores.ts'

export { DRAFT }
export const LIFETIME_MS = 60 * 60 * 1000
const MASTER_KEY = new Uint8Array(32).fill(7)
const CLAIMS = { userId: 'sub', email: 'email', name: 'profile.name', locale: 'locale' }

export type GivenAuth = Awaited<ReturnType<typeof givenAuth>>

/** Opens a store with an organisation. Set `clock.at` to change the time; `close` removes everything. */
export async function givenAuth() {
  const clock = { at: Date.UTC(2026, 5, 1, 12), now: () => clock.at }
  const store = await givenStores(clock)
  const { stores } = store
  const bus = createMemoryBus()
  const sealer = createSealer([MASTER_KEY])
  const keyRing = createKeyRing({ ...stores, open: sealer.open, clock, bus })
  const ids = {
    organisation: createIdSource(clock),
    environment: createIdSource(clock),
    secret: createIdSource(clock),
    session: createIdSource(clock),
  }
  await stores.organisations.create({
    id: DRAFT.organisationId,
    name: 'Shop',
    region: 'eu',
    onboardedAt: 0,
    retentionDays: 90,
    createdAt: 0,
  })
  const createEnvironment = createCreateEnvironment({
    ...stores,
    ids,
    clock,
    region: 'eu',
    newSecretValue,
    seal: sealer.seal,
  })
  const outbound = createGuardedFetch({ allow: ['127.0.0.0/8'] })
  const verifier = createJwtVerifier({ jwks: createJwks({ fetch: outbound.fetch, clock }), clock })
  let made = 0
  const openSessions = () =>
    createWidgetSessions({
      sessions: stores.sessions,
      clock,
      bus,
      sessionKey: deriveSessionKey([MASTER_KEY]),
      lifetimeMs: LIFETIME_MS,
      region: 'eu',
      ids,
      isSessionValid: createIsSessionValid(keyRing, clock, stores.sessions.isStored),
    })
  const sessions = openSessions()
  const live = createLiveCampaigns({ ...stores, bus, clock })
  const signIn = createSignInUser({
    recordDoubt() {},
    findByFrontKey: keyRing.findByFrontKey,
    keyRegion,
    regions: { own: 'eu', hosts: {} },
    isOriginAllowed,
    findSigningKey: async (environment, userId, token) =>
      findSigningKey({
        token,
        userId,
        secrets: await keyRing.listAuthSecrets(environment.id),
        requireExpiring: environment.requireExpiringTokens,
        now: clock.now(),
      }),
    refreshKeys: keyRing.refresh,
    ...verifier,
    users: stores.users,
    inboxes: stores.inboxes,
    findAppearance: createFindAppearance(live),
    issueSession: sessions.issue,
    clock,
    realtime: { url: 'http://edge.test', path: '/realtime' },
  })
  return {
    stores,
    /** Number of read statements so far. */
    reads: store.reads,
    bus,
    clock,
    ids,
    sealer,
    keyRing,
    sessions,
    openSessions,
    signIn,
    verifier,
    createEnvironment: (change: Partial<EnvironmentDraft> = {}) =>
      createEnvironment(
        { ...DRAFT, name: made++ === 0 ? DRAFT.name : `dev ${made}`, ...change },
        { actor: 'seed', who: 'test' },
      ),
    async close() {
      live.close()
      await outbound.close()
      await store.close()
    },
  }
}

/** Runs an identity provider that serves `keys` once `hold` resolves, and counts requests. */
export async function givenProvider(keys: object[]) {
  const waiting = new Map<number, () => void>()
  const provider = {
    keys,
    status: 200,
    fetches: 0,
    hold: Promise.resolve(),
    url: '',
    issuer: '',
    /** Resolves when the provider has received that many requests. */
    asked: (count: number) =>
      provider.fetches >= count ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(count, resolve)),
    close: async () => {},
  }
  const server = createServer(async (_, response) => {
    provider.fetches++
    waiting.get(provider.fetches)?.()
    await provider.hold
    response.writeHead(provider.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ keys: provider.keys }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider.url = `${provider.issuer}/jwks.json`
  provider.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return provider
}

const CLIENT: Pick<IdentityProvider, 'audience' | 'clientClaim'> = { audience: 'nc', clientClaim: 'aud' }

/** Returns the registration of that provider in an environment. */
export function registrationOf(provider: { issuer: string; url: string }, algorithms = ['RS256']) {
  return { issuer: provider.issuer, ...CLIENT, jwksUrl: provider.url, algorithms, claims: CLAIMS }
}

/** Returns status and code of a refusal, such as `401 auth/invalid-token`. @throws when it is no ApiError */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason as { code?: ErrorBody['code']; status?: number },
  )
  if (error?.code === undefined) throw new Error('Not refused, or not by an ApiError.', { cause: error })
  return `${error.status} ${error.code}`
}
