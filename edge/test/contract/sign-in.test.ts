// Tests sign-in over HTTP: order of checks for all three strategies, requirements of tokens, the complete answer.

import { createHmac } from 'node:crypto'
import { base64url, exportJWK, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { type Answer, type GivenEdge, givenEdge } from '../support/given.ts'
import { send } from '../support/send.ts'

let given: GivenEdge
let fetches = 0
beforeAll(async () => {
  given = await givenEdge(
    {},
    {
      // Keys that the demo's identity provider publishes.
      async site(request) {
        if (new URL(request.url).pathname !== '/demo/jwks.json') return undefined
        fetches++
        const { privateKeyJwk, kid, algorithm } = dev().identityProvider
        const { kty, n, e } = privateKeyJwk
        return Response.json({ keys: [{ kty, n, e, kid, alg: algorithm, use: 'sig' }] })
      },
    },
  )
})
afterAll(() => given.stop())

const dev = () => given.demo.environments.dev
const prod = () => given.demo.environments.prod
const seconds = (fromNow: number) => Math.floor(Date.now() / 1000) + fromNow
const hmac = (text: string, secret = dev().authSecretKey) =>
  createHmac('sha256', secret).update(text, 'utf8').digest('hex')
const expiring = (userId: string, at: number | string) => `v2.${at}.${hmac(`v2\n${at}\n${userId}`)}`

const post = (body: unknown) => given.call<AuthAnswer & { code: string }>('POST', '/v1/users/auth', { body })
const auth = (body: Record<string, unknown>) => post({ apiKey: dev().frontApiKey, ...body })

interface TokenOptions {
  claims?: Record<string, unknown>
  header?: Partial<JWTHeaderParameters>
  key?: CryptoKey | Uint8Array | JWK
}
async function sign(
  algorithm: string,
  jwk: JWK,
  claims: Record<string, unknown>,
  options: TokenOptions,
): Promise<string> {
  const alg = options.header?.alg ?? algorithm
  const key = options.key === undefined ? await importJWK(jwk, alg) : options.key
  return new SignJWT({ ...claims, ...options.claims }).setProtectedHeader({ ...options.header, alg }).sign(key)
}
function providerToken(options: TokenOptions = {}): Promise<string> {
  const { algorithm, kid, issuer, audience, privateKeyJwk } = dev().identityProvider
  const claims = { iss: issuer, aud: audience, sub: 'jay', exp: seconds(60) }
  return sign(algorithm, privateKeyJwk, claims, { ...options, header: { kid, ...options.header } })
}
function signedToken(options: TokenOptions = {}): Promise<string> {
  const { algorithm, privateKeyJwk } = dev().signedJwt
  return sign(algorithm, privateKeyJwk, { sub: 'sig', exp: seconds(60) }, options)
}
const unsigned = (claims: object) =>
  `${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify(claims))}.`

function expectRefusal(
  answer: Answer<{ code: string }>,
  status: number,
  code: string,
  ...mustNotAppear: string[]
): void {
  expect([answer.status, answer.body.code]).toEqual([status, code])
  const text = JSON.stringify([answer.body, [...answer.headers]])
  for (const secret of [dev().authSecretKey, dev().frontApiKey, dev().sdkSecretKey, ...mustNotAppear]) {
    expect(text).not.toContain(secret)
  }
}

describe('the order of checks', () => {
  const known = { userId: 'ada', token: 'x' }
  test.each<[string, string, number, string]>([
    ['no JSON', '{', 400, 'request/invalid-body'],
    ['a list', '[]', 400, 'request/invalid-body'],
    ['null', 'null', 400, 'request/invalid-body'],
    ['an empty object', '{}', 400, 'auth/invalid-inputs'],
    ['an apiKey that is null', '{"apiKey":null}', 400, 'auth/invalid-inputs'],
    ['an apiKey that is a number', '{"apiKey":1,"authType":"nope"}', 400, 'auth/invalid-inputs'],
    ['an empty apiKey', '{"apiKey":""}', 401, 'auth/invalid-api-key'],
    ['an unknown apiKey', '{"apiKey":"nc_front_eu_0","authType":"nope"}', 401, 'auth/invalid-api-key'],
  ])('%s is answered with %i', async (_what, body, status, code) => {
    const answer = await send(given.url, 'POST', '/v1/users/auth', {
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test.each<[string, () => Record<string, unknown>, number, string]>([
    ['an sdkSecretKey in its place', () => ({ ...known, apiKey: dev().sdkSecretKey }), 401, 'auth/invalid-api-key'],
    ['an authSecretKey in its place', () => ({ ...known, apiKey: dev().authSecretKey }), 401, 'auth/invalid-api-key'],
    ['an unknown authType', () => ({ ...known, authType: 'password' }), 400, 'auth/invalid-inputs'],
    ['an authType that is a list', () => ({ ...known, authType: ['jwt'] }), 400, 'auth/invalid-inputs'],
    ['an authType of the prototype', () => ({ ...known, authType: 'constructor' }), 400, 'auth/invalid-inputs'],
    ['no userId', () => ({ token: 'x' }), 400, 'auth/invalid-inputs'],
    ['no token', () => ({ userId: 'ada' }), 400, 'auth/invalid-inputs'],
    ['a userId that is a number', () => ({ userId: 1, token: 'x' }), 400, 'auth/invalid-inputs'],
    ['a userId of 257', () => ({ userId: 'u'.repeat(257), token: 'x' }), 400, 'auth/invalid-inputs'],
    ['a userId with a line feed', () => ({ userId: 'a\nb', token: hmac('a\nb') }), 400, 'auth/invalid-inputs'],
    ['no token for jwt', () => ({ authType: 'jwt' }), 400, 'auth/invalid-inputs'],
    ['no token for signedJwt', () => ({ authType: 'signedJwt' }), 400, 'auth/invalid-inputs'],
    [
      'no token where nothing is registered',
      () => ({ apiKey: prod().frontApiKey, authType: 'jwt' }),
      400,
      'auth/invalid-inputs',
    ],
    [
      'jwt where nothing is registered',
      () => ({ apiKey: prod().frontApiKey, authType: 'jwt', token: 'x' }),
      401,
      'auth/no-public-key-registered',
    ],
    [
      'signedJwt where nothing is registered',
      () => ({ apiKey: prod().frontApiKey, authType: 'signedJwt', token: 'x' }),
      401,
      'auth/no-public-key-registered',
    ],
  ])('%s is answered with %i', async (_what, fields, status, code) => {
    expectRefusal(await auth(fields()), status, code)
  })
})

describe('a backend token', () => {
  test.each(['ada', 'ü😀 /?#', 'a'.repeat(256), '__proto__'])('of %j is accepted in both forms', async (userId) => {
    for (const token of [hmac(userId), expiring(userId, seconds(60))]) {
      expect(await auth({ userId, token })).toMatchObject({ status: 200, body: { user: { userId } } })
    }
  })

  test.each<[string, () => string]>([
    ['of another user', () => hmac('eve')],
    ['in upper case', () => hmac('ada').toUpperCase()],
    ['with a space', () => ` ${hmac('ada')}`],
    ['shortened', () => hmac('ada').slice(0, 63)],
    ['of another environment', () => hmac('ada', prod().authSecretKey)],
    ['by the Front API Key', () => hmac('ada', dev().frontApiKey)],
    ['that has just expired', () => expiring('ada', seconds(-1))],
    ['that expired', () => expiring('ada', seconds(-3600))],
    ['with its time changed', () => expiring('ada', seconds(-3600)).replace(/\.\d+\./, `.${seconds(60)}.`)],
    ['with an invalid time', () => expiring('ada', 'never')],
    ['with a huge time', () => expiring('ada', '9'.repeat(40))],
    ['with a negative time', () => expiring('ada', -1)],
    ['with a time in another spelling', () => expiring('ada', `0${seconds(60)}`)],
    ['of an unknown version', () => expiring('ada', seconds(60)).replace('v2', 'v3')],
    ['that is a JWT', () => unsigned({ sub: 'ada', exp: seconds(60) })],
  ])('%s is refused', async (_what, token) => {
    expectRefusal(await auth({ userId: 'ada', token: token() }), 401, 'auth/invalid-token-signature', token())
  })
})

describe.each([
  ['jwt', providerToken, 'jay'],
  ['signedJwt', signedToken, 'sig'],
] as const)('%s', (authType, token, userId) => {
  const attempt = async (jwt: string | Promise<string>) => auth({ authType, token: await jwt, userId: 'somebody-else' })

  test('identifies its user, and the profile comes from its claims', async () => {
    const claims = { email: 'j@example.com', name: 'Jay', locale: 'de' }
    expect((await attempt(token({ claims }))).body.user).toEqual({ userId, ...claims })
    expect((await attempt(token({ claims: { exp: seconds(-30) } }))).status).toBe(200)
    expect((await auth({ authType, token: await token(), email: 'evil@example.com', name: 'Evil' })).body.user).toEqual(
      { userId, ...claims },
    )
  })

  test.each<[string, () => Promise<string> | string]>([
    ['no JWT', () => 'x'],
    ['empty parts', () => '..'],
    [
      'alg none',
      () => unsigned({ sub: userId, exp: seconds(60), iss: dev().identityProvider.issuer, aud: 'notification-center' }),
    ],
    [
      'HS256 by the Front API Key',
      () => token({ header: { alg: 'HS256' }, key: new TextEncoder().encode(dev().frontApiKey) }),
    ],
    [
      'HS256 by the authSecretKey',
      () => token({ header: { alg: 'HS256' }, key: new TextEncoder().encode(dev().authSecretKey) }),
    ],
    [
      'another key',
      async () => token({ key: (await generateKeyPair(authType === 'jwt' ? 'RS256' : 'ES256')).privateKey }),
    ],
    [
      'another algorithm',
      async () => token({ header: { alg: 'EdDSA' }, key: (await generateKeyPair('EdDSA')).privateKey }),
    ],
    [
      'a key in its header',
      async () => {
        const pair = await generateKeyPair('ES256', { extractable: true })
        return token({
          header: { alg: 'ES256', jwk: await exportJWK(pair.publicKey), jku: 'https://evil.example/k' },
          key: pair.privateKey,
        })
      },
    ],
    ['no exp', () => token({ claims: { exp: undefined } })],
    ['exp as text', () => token({ claims: { exp: `${seconds(60)}` as never } })],
    ['an exp 61 s past', () => token({ claims: { exp: seconds(-62) } })],
    ['an nbf ahead', () => token({ claims: { nbf: seconds(120) } })],
    [
      'a changed payload',
      async () => {
        const [head, , signature] = (await token()).split('.')
        return `${head}.${base64url.encode(JSON.stringify({ sub: 'eve', exp: seconds(60) }))}.${signature}`
      },
    ],
    ['no signature', async () => (await token()).replace(/[^.]+$/, '')],
    ['a session token', async () => (await given.signIn('ada')).sessionToken],
    ...(authType === 'jwt'
      ? ([
          ['another issuer', () => token({ claims: { iss: 'https://evil.example' } })],
          ['another audience', () => token({ claims: { aud: 'other' } })],
          ['no audience', () => token({ claims: { aud: undefined } })],
          ['an unknown kid', () => token({ header: { kid: 'other' } })],
        ] as [string, () => Promise<string>][])
      : []),
  ])('%s is refused', async (_what, make) => {
    const jwt = await make()
    expectRefusal(await attempt(jwt), 401, 'auth/invalid-token-signature', ...(jwt.length > 10 ? [jwt] : []))
  })

  test.each([undefined, null, ['u'], '', 'a\nb', 'u'.repeat(257)])('sub %j is answered with 400', async (sub) => {
    expectRefusal(await attempt(token({ claims: { sub: sub as never } })), 400, 'auth/invalid-inputs')
  })
})

test('unknown key ids do not cause repeated requests to the provider', async () => {
  const before = fetches
  for (let index = 0; index < 10; index++)
    await auth({ authType: 'jwt', token: await providerToken({ header: { kid: `k${index}` } }) })
  expect(fetches - before).toBeLessThanOrEqual(1)
})

describe('the answer', () => {
  test('has the public address, with its prefix in the path', async () => {
    const prefixed = await givenEdge({ PUBLIC_URL: 'https://example.com/notify/' })
    try {
      const { realtime } = await prefixed.signIn('ada')
      expect(realtime).toEqual({ url: 'https://example.com', path: expect.stringMatching(/^\/notify\/v1\/\w+$/) })
    } finally {
      await prefixed.stop()
    }
  })

  test('has every field, and its session is valid only for this user and environment', async () => {
    await given.call('PUT', '/v1/users/whole', {
      key: dev().sdkSecretKey,
      body: { email: 'w@example.com', name: null },
    })
    const before = Date.now()
    const { body } = await auth({ userId: 'whole', token: hmac('whole') })
    expect(body).toEqual({
      sessionToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expiresIn: 3600,
      user: { userId: 'whole', email: 'w@example.com' },
      environment: { id: dev().id, name: 'dev', isProduction: false },
      realtime: { url: given.edge.publicUrl, path: expect.stringMatching(/^\//) },
      inbox: { epoch: expect.any(String), seq: 0, unread: 0, unopened: 0 },
      appearance: null,
    })
    expect(Math.abs(Date.parse(body.expiresAt) - before - 3_600_000)).toBeLessThan(10_000)
    // A session is neither a key nor a token.
    for (const path of ['/v1/events', '/v1/campaigns', '/v1/users/whole']) {
      expect((await given.call('GET', path, { session: body })).status).toBe(403)
    }
    expect((await given.call('GET', '/v1/inbox/messages', { key: dev().sdkSecretKey })).status).toBe(401)
    expect((await given.signIn('whole', 'prod')).inbox.epoch).not.toBe(body.inbox.epoch)
  })

  test.each<[string, (token: string) => string]>([
    ['changed', (token) => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`],
    ['without its signature', (token) => token.replace(/[^.]+$/, '')],
    ['alg none', (token) => `${base64url.encode('{"alg":"none"}')}.${token.split('.')[1]}.`],
    ['of 5,000 characters', () => 'x'.repeat(5000)],
  ])('a session token that is %s is refused', async (_what, change) => {
    const { sessionToken } = await given.signIn('ada')
    const answer = await given.call('GET', '/v1/inbox/messages', { key: change(sessionToken) })
    expect([answer.status, answer.body.code]).toEqual([401, 'auth/invalid-session'])
  })
})
