// Tests the order of checks of a sign-in, its answer, and the stored profile.

import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expiringToken, plainToken } from '../../auth/backend-token.ts'
import { ApiError } from '../../lib/api-error.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { formatId } from '../../lib/id.ts'
import {
  type GivenAuth,
  givenAuth,
  givenProvider,
  LIFETIME_MS,
  refusalOf,
  registrationOf,
} from '../../test/support/given-auth.ts'

type Created = Awaited<ReturnType<GivenAuth['createEnvironment']>>
let given: GivenAuth
let dev: Created
/** An environment with expiring tokens only, one origin, and no registered key. */
let strict: Created
let disabled: Created
let provider: Awaited<ReturnType<typeof givenProvider>>
let deadProvider: Created
let keys: Awaited<ReturnType<typeof generateKeyPair>>

beforeAll(async () => {
  given = await givenAuth()
  keys = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(keys.publicKey)
  provider = await givenProvider([{ ...jwk, kid: 'k1', alg: 'ES256' }])
  dev = await given.createEnvironment({
    identityProvider: registrationOf(provider, ['ES256']),
    publicKey: { algorithm: 'ES256', key: JSON.stringify(jwk), claims: { userId: 'user.id', email: 'email' } },
  })
  strict = await given.createEnvironment({
    name: 'prod',
    isProduction: true,
    requireExpiringTokens: true,
    allowedOrigins: ['https://shop.example'],
  })
  disabled = await given.createEnvironment({ name: 'off', disabledAt: 1 })
  deadProvider = await given.createEnvironment({
    identityProvider: registrationOf({ issuer: provider.issuer, url: 'http://127.0.0.1:1/jwks' }, ['ES256']),
  })
})
afterAll(async () => {
  await provider.close()
  await given.close()
})

const seconds = () => given.clock.at / 1000
const sign = (claims: Record<string, unknown> = {}) =>
  new SignJWT({ iss: provider.issuer, aud: 'nc', exp: seconds() + 300, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .sign(keys.privateKey)
const body = (created: Created, fields: Record<string, unknown> = {}) => ({
  apiKey: created.values.frontApiKey,
  ...fields,
})
const backend = (created: Created, userId = 'u_1') =>
  body(created, { userId, token: plainToken(created.values.authSecretKey, userId) })

describe('answers a session', () => {
  test('for a backend token, with the whole answer', async () => {
    const answer = await given.signIn(backend(dev), null)
    expect(answer).toEqual({
      sessionToken: expect.any(String),
      expiresAt: new Date(given.clock.at + LIFETIME_MS).toISOString(),
      expiresIn: 3600,
      user: { userId: 'u_1' },
      environment: { id: formatId('environment', dev.environment.id), name: 'dev', isProduction: false },
      realtime: { url: 'http://edge.test', path: '/realtime' },
      inbox: { epoch: expect.any(String), seq: 0, unread: 0, unopened: 0 },
      appearance: null,
    })
    expect(await given.sessions.verify(answer.sessionToken)).toMatchObject({
      environmentId: dev.environment.id,
      userId: 'u_1',
      credential: sha256Hex(dev.values.authSecretKey),
    })
  })

  test('for an expiring backend token where that is required', async () => {
    const token = expiringToken(strict.values.authSecretKey, 'ü 1', seconds() + 60)
    const answer = await given.signIn(body(strict, { userId: 'ü 1', token, authType: 'backendToken' }), null)
    expect(answer.environment).toMatchObject({ name: 'prod', isProduction: true })
  })

  test('for both kinds of JWT, whatever user id the body contains', async () => {
    const byProvider = await given.signIn(
      body(dev, { authType: 'jwt', userId: 'u_9', token: await sign({ sub: 'u_2' }) }),
      null,
    )
    const byKey = await given.signIn(
      body(dev, { authType: 'signedJwt', token: await sign({ user: { id: 'u_3' } }) }),
      null,
    )
    expect([byProvider.user.userId, byKey.user.userId]).toEqual(['u_2', 'u_3'])
    const credentials = await Promise.all(
      [byProvider, byKey].map(async ({ sessionToken }) => (await given.sessions.verify(sessionToken)).credential),
    )
    expect(credentials).toEqual([expect.stringMatching(/^idp:/), expect.stringMatching(/^key:/)])
  })

  test('from an allowed origin', async () => {
    const token = expiringToken(strict.values.authSecretKey, 'u', seconds() + 60)
    expect(await given.signIn(body(strict, { userId: 'u', token }), 'https://shop.example')).toBeDefined()
    expect(await given.signIn(backend(dev), 'https://anywhere.example')).toBeDefined()
  })
})

describe('the profile', () => {
  test('comes from the claims, and from nothing else', async () => {
    const claims = { sub: 'p_1', email: 'ada@example.com', profile: { name: 'Ada' } }
    const forged = { email: 'evil@example.com', user: { name: 'Evil' }, name: 'Evil', locale: 'xx' }
    const answer = await given.signIn(body(dev, { ...forged, authType: 'jwt', token: await sign(claims) }), null)
    expect(answer.user).toEqual({ userId: 'p_1', email: 'ada@example.com', name: 'Ada' })
    const backendAnswer = await given.signIn({ ...backend(dev, 'p_2'), ...forged }, null)
    expect(backendAnswer.user).toEqual({ userId: 'p_2' })
  })

  test('that the backend wrote stays where the claims have no value', async () => {
    await given.stores.users.upsert(dev.environment.id, 'p_3', { name: 'Bea', email: 'old@example.com' }, 1)
    const token = await sign({ sub: 'p_3', email: 'new@example.com' })
    await given.signIn(body(dev, { authType: 'jwt', token }), null)
    expect(await given.stores.users.find(dev.environment.id, 'p_3')).toMatchObject({
      name: 'Bea',
      email: 'new@example.com',
    })
  })
})

const INPUTS = '400 auth/invalid-inputs'
const TOKEN = '401 auth/invalid-token-signature'
const API_KEY = '401 auth/invalid-api-key'
const NO_KEY = '401 auth/no-public-key-registered'
const ORIGIN = '403 authorization/not-allowed'

describe('refuses, in order', () => {
  beforeEach(() => expect(given).toBeDefined())
  const nothing = { userId: '', token: 7, authType: 'nonsense' }

  test.each<[string, () => Promise<unknown> | unknown, string]>([
    ['null', () => null, '400 request/invalid-body'],
    ['a list', () => [], '400 request/invalid-body'],
    ['no apiKey', () => ({ ...backend(dev), apiKey: undefined }), INPUTS],
    ['an apiKey that is no text', () => ({ ...backend(dev), apiKey: {} }), INPUTS],
    ['an unknown apiKey, with other fields invalid too', () => ({ ...nothing, apiKey: 'nc_front_eu_x' }), API_KEY],
    ['an sdkSecretKey as apiKey', () => ({ ...backend(dev), apiKey: dev.values.sdkSecretKey }), API_KEY],
    ['a disabled environment', () => ({ ...backend(disabled), ...nothing }), API_KEY],
    ['an unknown authType', () => ({ ...backend(dev), authType: 'password' }), INPUTS],
    ['an authType that is no text', () => ({ ...backend(dev), authType: 1 }), INPUTS],
    ['an authType of the prototype', () => ({ ...backend(dev), authType: 'constructor' }), INPUTS],
    ['no userId', () => ({ ...backend(dev), userId: undefined }), INPUTS],
    ['a number as userId', () => ({ ...backend(dev), userId: 1 }), INPUTS],
    ['a control character in userId', () => backend(dev, 'a\nb'), INPUTS],
    ['a userId too long', () => backend(dev, 'x'.repeat(257)), INPUTS],
    ['no token', () => ({ ...backend(dev), token: undefined }), INPUTS],
    ['no token for a JWT, before the registered keys are read', () => body(strict, { authType: 'jwt' }), INPUTS],
    ['no provider registered, before the token', () => body(strict, { authType: 'jwt', token: 'x' }), NO_KEY],
    ['no public key registered', () => body(strict, { authType: 'signedJwt', token: 'x' }), NO_KEY],
    ['a wrong token', () => ({ ...backend(dev), token: 'x' }), TOKEN],
    ['the token of another user', () => ({ ...backend(dev), userId: 'u_2' }), TOKEN],
    ['the token of another environment', () => ({ ...backend(deadProvider), apiKey: dev.values.frontApiKey }), TOKEN],
    ['a plain token where an expiring one is required', () => backend(strict), TOKEN],
    [
      'an expired token',
      () => ({ ...backend(dev), token: expiringToken(dev.values.authSecretKey, 'u_1', seconds()) }),
      TOKEN,
    ],
    ['a broken JWT', () => body(dev, { authType: 'jwt', token: 'a.b.c' }), TOKEN],
    ['a foreign JWT', async () => body(dev, { authType: 'jwt', token: await sign({ sub: 'u', aud: 'x' }) }), TOKEN],
    ['a JWT without its user', async () => body(dev, { authType: 'jwt', token: await sign() }), INPUTS],
    [
      'a JWT without the configured path',
      async () => body(dev, { authType: 'signedJwt', token: await sign({ sub: 'u' }) }),
      INPUTS,
    ],
    [
      'a JWT while the server of its keys is unreachable',
      async () => body(deadProvider, { authType: 'jwt', token: await sign({ sub: 'u' }) }),
      '503 service/unavailable',
    ],
  ])('%s', async (_, given_, expected) => {
    expect(await refusalOf(given.signIn(await given_(), null))).toBe(expected)
  })

  test.each(['https://evil.example', 'null', 'https://shop.example.evil.example'])('origin %s', async (origin) => {
    expect(await refusalOf(given.signIn({ ...backend(strict), ...nothing }, origin))).toBe(ORIGIN)
    expect(await refusalOf(given.signIn(body(strict, { apiKey: 'x' }), origin))).toBe(API_KEY)
  })

  test('and creates no user', async () => {
    await refusalOf(given.signIn({ ...backend(dev, 'ghost'), token: 'x' }, null))
    expect(await given.stores.users.find(dev.environment.id, 'ghost')).toBeUndefined()
  })

  test('with the foreign region in the message, but neither key nor token', async () => {
    const apiKey = dev.values.frontApiKey.replace('_eu_', '_us_')
    const error = await given.signIn({ ...backend(dev), apiKey }, null).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).message).toContain('"us"')
    expect((error as ApiError).message).not.toContain(apiKey)
  })
})
