// Tests tokens of an identity provider and of a registered key: valid tokens, and every kind of forgery.

import { createHmac, generateKeyPairSync } from 'node:crypto'
import {
  CompactSign,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PublicKey } from '../../contract/resources/token-keys.ts'
import { type ClientClaim, JWT_ALGORITHMS } from '../../contract/tenant.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import { givenProvider, refusalOf, registrationOf } from '../test/support/given-auth.ts'
import { createJwks } from './jwks.ts'
import { checkPublicKey, createJwtVerifier, providerCredential, publicKeyCredential } from './jwt.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const NOW_SECONDS = NOW / 1000
const INVALID = '401 auth/invalid-token-signature'
const CLAIMS = { userId: 'sub', email: 'email', name: 'profile.name', locale: 'locale' }

type Pair = Awaited<ReturnType<typeof generateKeyPair>>
let pair: Pair
let other: Pair
let provider: Awaited<ReturnType<typeof givenProvider>>
let outbound: ReturnType<typeof createGuardedFetch>
let clock: { at: number; now(): number }

beforeAll(async () => {
  pair = await generateKeyPair('RS256', { extractable: true })
  other = await generateKeyPair('RS256', { extractable: true })
})
beforeEach(async () => {
  clock = { at: NOW, now: () => clock.at }
  outbound = createGuardedFetch({ allow: ['127.0.0.0/8'] })
  provider = await givenProvider([{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }])
})
afterEach(async () => {
  await outbound.close()
  await provider.close()
})

const givenVerifier = () => createJwtVerifier({ jwks: createJwks({ fetch: outbound.fetch, clock }), clock })

interface Minted {
  claims?: Record<string, unknown>
  header?: Partial<JWTHeaderParameters>
  key?: Pair['privateKey']
}

/** A valid token of the provider with the given changes; `undefined` omits a claim. */
function mint({ claims = {}, header = {}, key = pair.privateKey }: Minted = {}): Promise<string> {
  const all = { iss: provider.issuer, aud: 'nc', sub: 'u_1', exp: NOW_SECONDS + 300, ...claims }
  return new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(key)
}

const verify = (token: string) => givenVerifier().verifyByProvider(token, registrationOf(provider))

describe('a token of the provider', () => {
  test('contains its user, and the profile at the configured paths', async () => {
    const claims = { email: 'ada@example.com', profile: { name: 'Ada' }, locale: null, role: 'admin' }
    expect(await verify(await mint({ claims }))).toEqual({
      userId: 'u_1',
      profile: { email: 'ada@example.com', name: 'Ada' },
      leftOut: [{ path: 'locale', message: 'The token has no such claim.' }],
      credential: providerCredential(registrationOf(provider)),
    })
  })

  test.each([
    ['expired within the leeway', { exp: NOW_SECONDS - 59 }],
    ['not yet valid within the leeway', { nbf: NOW_SECONDS + 59 }],
    ['for several audiences', { aud: ['x', 'nc'] }],
  ])('passes: %s', async (_, claims) => {
    expect(await verify(await mint({ claims }))).toMatchObject({ userId: 'u_1' })
  })

  test.each<[string, Record<string, unknown>]>([
    ['without exp', { exp: undefined }],
    ['exp a text', { exp: `${NOW_SECONDS + 300}` }],
    ['expired', { exp: NOW_SECONDS - 61 }],
    ['not yet valid', { nbf: NOW_SECONDS + 61 }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['without issuer', { iss: undefined }],
    ['for another audience', { aud: 'other' }],
    ['without audience', { aud: undefined }],
  ])('refused: %s', async (_, claims) => {
    expect(await refusalOf(verify(await mint({ claims })))).toBe(INVALID)
  })

  test.each<[string, Record<string, unknown>]>([
    ['no user id', { sub: undefined }],
    ['a null user id', { sub: null }],
    ['a list as user id', { sub: ['u'] }],
    ['a number that needs an exponent', { sub: 1e21 }],
    ['an empty user id', { sub: '' }],
    ['a control character in it', { sub: 'a\nb' }],
    ['a user id too long', { sub: 'x'.repeat(257) }],
  ])('400: %s', async (_, claims) => {
    expect(await refusalOf(verify(await mint({ claims })))).toBe('400 auth/invalid-inputs')
  })

  test.each<[unknown, string]>([
    [42, '42'],
    [-7.5, '-7.5'],
    [9007199254740991, '9007199254740991'],
  ])('the number %d as user id is its decimal text', async (sub, userId) => {
    expect(await verify(await mint({ claims: { sub } }))).toMatchObject({ userId })
  })

  test('a large number as user id keeps its digits', async () => {
    const head = { alg: 'RS256', kid: 'k1' }
    const claims = `{"iss":"${provider.issuer}","aud":"nc","sub":12345678901234567890,"exp":${NOW_SECONDS + 300}}`
    const token = await new CompactSign(Buffer.from(claims)).setProtectedHeader(head).sign(pair.privateKey)
    expect(await verify(token)).toMatchObject({ userId: '12345678901234567890' })
  })

  test('a faulty optional claim is left out, and named', async () => {
    const claims = { email: 42, profile: { name: 'x'.repeat(257) }, locale: 'de\n' }
    const { profile, leftOut } = await verify(await mint({ claims }))
    expect(profile).toEqual({})
    expect(leftOut.map(({ path }) => path)).toEqual(['email', 'profile.name', 'locale'])
  })

  test.each<[ClientClaim, Record<string, unknown>, boolean]>([
    ['client_id', { client_id: 'nc', aud: undefined }, true],
    ['client_id', { client_id: 'other', aud: 'nc' }, false],
    ['client_id', { aud: 'nc' }, false],
    ['azp', { azp: 'nc', aud: 'account' }, true],
    ['azp', { azp: ['x', 'nc'] }, true],
    ['azp', { azp: 'nc2' }, false],
    ['azp', { client_id: 'nc' }, false],
    ['aud', { aud: 'account', azp: 'nc', client_id: 'nc' }, false],
  ])('the client is named by %s: %j, %s', async (clientClaim, claims, isTaken) => {
    const registration = { ...registrationOf(provider), clientClaim }
    const verified = givenVerifier().verifyByProvider(await mint({ claims }), registration)
    if (isTaken) expect(await verified).toMatchObject({ credential: providerCredential(registration) })
    else expect(await refusalOf(verified)).toBe(INVALID)
  })

  test('a wrong signature is reported before a missing claim', async () => {
    const forged = await mint({ claims: { sub: undefined }, key: other.privateKey })
    expect(await refusalOf(verify(forged))).toBe(INVALID)
  })
})

describe('a forgery', () => {
  test('none, HS256 under the public key, another key, another algorithm of the same key', async () => {
    const claims = { iss: provider.issuer, aud: 'nc', sub: 'u_1', exp: NOW_SECONDS + 300 }
    const unsigned = new UnsecuredJWT(claims).encode()
    const head = Buffer.from('{"alg":"HS256","kid":"k1"}').toString('base64url')
    const input = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    const mac = createHmac('sha256', await exportSPKI(pair.publicKey))
      .update(input)
      .digest('base64url')
    for (const token of [unsigned, `${input}.${mac}`, await mint({ key: other.privateKey })]) {
      expect(await refusalOf(verify(token))).toBe(INVALID)
    }
    const allowing = { ...registrationOf(provider), algorithms: ['HS256', 'none'] }
    expect(await refusalOf(givenVerifier().verifyByProvider(unsigned, allowing))).toBe(
      '401 auth/no-public-key-registered',
    )
  })

  test('a key inside the token is never used or fetched', async () => {
    const evil = await givenProvider([{ ...(await exportJWK(other.publicKey)), kid: 'k1' }])
    for (const header of [
      { jwk: await exportJWK(other.publicKey) },
      { jku: evil.url },
      { x5u: evil.url },
      { kid: evil.url },
    ]) {
      expect(await refusalOf(verify(await mint({ header, key: other.privateKey })))).toBe(INVALID)
    }
    expect(evil.fetches).toBe(0)
    await evil.close()
  })

  test.each(['', 'x', 'a.b.c', '..', 'eyJhbGciOiJSUzI1NiJ9..', 'x'.repeat(20_000)])(
    '%.20j is refused as malformed',
    async (token) => {
      expect(await refusalOf(verify(token))).toBe(INVALID)
      expect(provider.fetches).toBe(0)
    },
  )
})

describe('the key set', () => {
  test('is fetched once for concurrent tokens', async () => {
    const { verifyByProvider } = givenVerifier()
    const token = await mint()
    await Promise.all(Array.from({ length: 10 }, () => verifyByProvider(token, registrationOf(provider))))
    expect(provider.fetches).toBe(1)
  })

  test('is fetched again for an unknown key, with a minimum time between fetches', async () => {
    const { verifyByProvider } = givenVerifier()
    await verifyByProvider(await mint(), registrationOf(provider))
    provider.keys = [{ ...(await exportJWK(other.publicKey)), kid: 'k2', alg: 'RS256' }]
    const rotated = await mint({ header: { kid: 'k2' }, key: other.privateKey })
    expect(await verifyByProvider(rotated, registrationOf(provider))).toMatchObject({ userId: 'u_1' })
    for (let i = 0; i < 20; i++) {
      const token = await mint({ header: { kid: `made-up-${i}` } })
      expect(await refusalOf(verifyByProvider(token, registrationOf(provider)))).toBe(INVALID)
    }
    expect(provider.fetches).toBe(2)
    clock.at += 10_000
    await refusalOf(verifyByProvider(await mint({ header: { kid: 'k9' } }), registrationOf(provider)))
    expect(provider.fetches).toBe(3)
  })

  test('serves, while fresh, during a fetch for an unknown key', async () => {
    const { verifyByProvider } = givenVerifier()
    const good = await mint()
    await verifyByProvider(good, registrationOf(provider))
    let release = () => {}
    provider.hold = new Promise((resolve) => {
      release = resolve
    })
    const unknown = refusalOf(verifyByProvider(await mint({ header: { kid: 'k9' } }), registrationOf(provider)))
    await provider.asked(2)
    expect(await verifyByProvider(good, registrationOf(provider))).toMatchObject({ userId: 'u_1' })
    release()
    expect(await unknown).toBe(INVALID)
  })

  test('is fetched again after ten minutes, and kept while its server is unreachable', async () => {
    const { verifyByProvider } = givenVerifier()
    const token = await mint({ claims: { exp: NOW_SECONDS + 86_400 } })
    await verifyByProvider(token, registrationOf(provider))
    clock.at += 10 * 60_000
    provider.status = 500
    expect(await verifyByProvider(token, registrationOf(provider))).toMatchObject({ userId: 'u_1' })
    expect(await verifyByProvider(token, registrationOf(provider))).toMatchObject({ userId: 'u_1' })
    expect(provider.fetches).toBe(2)
    clock.at += 30_000
    provider.status = 200
    provider.keys = []
    expect(await refusalOf(verifyByProvider(token, registrationOf(provider)))).toBe(INVALID)
  })

  test('that is not cached is 503 while its server is unreachable, and is fetched again soon', async () => {
    const { verifyByProvider } = givenVerifier()
    provider.status = 503
    const token = await mint()
    const unavailable = '503 service/unavailable'
    expect(await refusalOf(verifyByProvider(token, registrationOf(provider)))).toBe(unavailable)
    expect(await refusalOf(verifyByProvider(token, registrationOf(provider)))).toBe(unavailable)
    expect(provider.fetches).toBe(1)
    const expired = await mint({ claims: { exp: NOW_SECONDS - 600 } })
    expect(await refusalOf(verifyByProvider(expired, registrationOf(provider)))).toBe(INVALID)
    provider.status = 200
    clock.at += 1000
    expect(await verifyByProvider(token, registrationOf(provider))).toMatchObject({ userId: 'u_1' })
  })

  test('at an address that is not public is never fetched', async () => {
    const strict = createGuardedFetch({ allow: [] })
    const verifier = createJwtVerifier({ jwks: createJwks({ fetch: strict.fetch, clock }), clock })
    expect(await refusalOf(verifier.verifyByProvider(await mint(), registrationOf(provider)))).toBe(
      '503 service/unavailable',
    )
    expect(provider.fetches).toBe(0)
    await strict.close()
  })

  test('several keys without an id are tried in turn; shared secrets in it are not', async () => {
    provider.keys = [
      { kty: 'oct', k: 'AAAA' },
      await exportJWK(other.publicKey),
      { ...(await exportJWK(pair.publicKey)), alg: 'RS256' },
    ]
    expect(await verify(await mint({ header: { kid: undefined } as never }))).toMatchObject({ userId: 'u_1' })
    const third = await generateKeyPair('RS256')
    const forged = await mint({ header: { kid: undefined } as never, key: third.privateKey })
    expect(await refusalOf(verify(forged))).toBe(INVALID)
  })
})

describe('a registered public key', () => {
  const sign = (algorithm: string, key: Pair['privateKey'], claims: Record<string, unknown> = {}) =>
    new SignJWT({ sub: 'u_2', exp: NOW_SECONDS + 300, ...claims }).setProtectedHeader({ alg: algorithm }).sign(key)

  test.each(JWT_ALGORITHMS)('%s verifies as PEM and as JWK', async (algorithm) => {
    const keys = await generateKeyPair(algorithm, { extractable: true })
    const token = await sign(algorithm, keys.privateKey)
    const jwk = JSON.stringify(await exportJWK(keys.publicKey))
    for (const key of [await exportSPKI(keys.publicKey), jwk]) {
      const publicKey: PublicKey = { algorithm, key, claims: CLAIMS }
      const verified = await givenVerifier().verifyByPublicKey(token, publicKey)
      expect(verified).toMatchObject({ userId: 'u_2', profile: {}, credential: publicKeyCredential(publicKey) })
    }
  })

  test('accepts only its own algorithm and key, and only unexpired tokens with exp', async () => {
    const publicKey = { algorithm: 'RS256', key: await exportSPKI(pair.publicKey), claims: CLAIMS }
    const { verifyByPublicKey } = givenVerifier()
    for (const token of [
      await sign('PS256', (await generateKeyPair('PS256')).privateKey),
      await sign('RS256', other.privateKey),
      await sign('RS256', pair.privateKey, { exp: undefined }),
      await sign('RS256', pair.privateKey, { exp: NOW_SECONDS - 61 }),
      'nonsense',
    ]) {
      expect(await refusalOf(verifyByPublicKey(token, publicKey))).toBe(INVALID)
    }
    const anonymous = await sign('RS256', pair.privateKey, { sub: undefined })
    expect(await refusalOf(verifyByPublicKey(anonymous, publicKey))).toBe('400 auth/invalid-inputs')
  })

  test.each<[string, PublicKey | null]>([
    ['none', null],
    ['HS256', { algorithm: 'HS256', key: '{"kty":"oct","k":"AAAA"}', claims: CLAIMS }],
    ['a shared secret', { algorithm: 'RS256', key: '{"kty":"oct","k":"AAAA"}', claims: CLAIMS }],
    ['nonsense', { algorithm: 'RS256', key: 'nonsense', claims: CLAIMS }],
    ['broken JSON', { algorithm: 'RS256', key: '{"kty"', claims: CLAIMS }],
  ])('%s counts as not registered', async (_, publicKey) => {
    const token = await sign('RS256', pair.privateKey)
    expect(await refusalOf(givenVerifier().verifyByPublicKey(token, publicKey))).toBe(
      '401 auth/no-public-key-registered',
    )
  })
})

test('a claim with dots in its name is preferred to a path, and prototypes are not claims', async () => {
  const registration = registrationOf(provider)
  const at = (userId: string) => ({ ...registration, claims: { userId } })
  const token = await mint({ claims: { 'https://a.example/id': 'dotted', deep: { id: 'nested' } } })
  const { verifyByProvider } = givenVerifier()
  expect(await verifyByProvider(token, at('https://a.example/id'))).toMatchObject({ userId: 'dotted' })
  expect(await verifyByProvider(token, at('deep.id'))).toMatchObject({ userId: 'nested' })
  for (const path of ['constructor.name', '__proto__', 'deep.id.length', 'deep.none', '']) {
    expect(await refusalOf(verifyByProvider(token, at(path)))).toBe('400 auth/invalid-inputs')
  }
})

test('a private JWK cannot be registered, its public part can', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const check = async (key: Pair['privateKey']) =>
    checkPublicKey({ algorithm: 'ES256', key: JSON.stringify(await exportJWK(key)), claims: { userId: 'sub' } })
  await expect(check(privateKey)).rejects.toThrow('private key')
  await check(publicKey)
})

test('an RSA key that is too short to verify with cannot be registered', async () => {
  for (const [modulusLength, isTaken] of [
    [1024, false],
    [2048, true],
  ] as const) {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength })
    const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const checked = checkPublicKey({ algorithm: 'RS256', key, claims: { userId: 'sub' } })
    if (isTaken) await checked
    else await expect(checked).rejects.toThrow('2048 bits')
  }
})
