// Tests sign-in through the whole edge: every strategy with the demo's keys, and what ends a session.

import { importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthAnswer } from '../../contract/api.ts'
import { expiringToken, plainToken } from '../auth/backend-token.ts'
import { type GivenEdge, givenEdge } from './support/given.ts'

let given: GivenEdge
beforeAll(async () => {
  // The edge's site does not answer, so that it serves the demo's key set itself.
  given = await givenEdge({}, { site: async () => new Response(null, { status: 404 }) })
})
afterAll(() => given.stop())

const dev = () => given.demo.environments.dev
const inAMinute = () => Math.floor(Date.now() / 1000) + 60

const auth = (body: Record<string, unknown>, apiKey = dev().frontApiKey) =>
  given.call<AuthAnswer & { code: string }>('POST', '/v1/users/auth', { body: { apiKey, ...body } })

async function signedJwt(claims: Record<string, unknown>): Promise<string> {
  const { algorithm, privateKeyJwk } = dev().signedJwt
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: algorithm }).setExpirationTime(inAMinute())
  return jwt.sign(await importJWK(privateKeyJwk, algorithm))
}

async function providerJwt(claims: Record<string, unknown>): Promise<string> {
  const { algorithm, privateKeyJwk, kid, issuer, audience } = dev().identityProvider
  const jwt = new SignJWT({ iss: issuer, aud: audience, ...claims })
    .setProtectedHeader({ alg: algorithm, kid })
    .setExpirationTime(inAMinute())
  return jwt.sign(await importJWK(privateKeyJwk, algorithm))
}

describe('a session for', () => {
  test.each<[string, () => Promise<Record<string, unknown>> | Record<string, unknown>]>([
    ['a backend token', () => ({ userId: 'ada', token: plainToken(dev().authSecretKey, 'ada') })],
    ['an expiring one', () => ({ userId: 'ada', token: expiringToken(dev().authSecretKey, 'ada', inAMinute()) })],
    ['a signed JWT', async () => ({ authType: 'signedJwt', token: await signedJwt({ sub: 'ada' }) })],
  ])('%s reads the inbox of its user alone', async (_, credentials) => {
    const answer = await auth(await credentials())
    expect(answer).toMatchObject({ status: 200, body: { user: { userId: 'ada' }, environment: { name: 'dev' } } })
    expect(answer.body.expiresIn).toBe(3600)
    expect((await given.page(answer.body)).inbox.epoch).toBe(answer.body.inbox.epoch)
  })

  test('a JWT of a provider whose keys cannot be fetched is answered with 503, not 401', async () => {
    const answer = await auth({ authType: 'jwt', token: await providerJwt({ sub: 'ada' }) })
    expect([answer.status, answer.body.code]).toEqual([503, 'service/unavailable'])
    expect(answer.headers.get('retry-after')).toBe('1')
  })

  test('a token is refused in prod, where no provider and no key is registered', async () => {
    const { frontApiKey } = given.demo.environments.prod
    for (const authType of ['jwt', 'signedJwt']) {
      const answer = await auth({ authType, token: await signedJwt({ sub: 'ada' }) }, frontApiKey)
      expect([answer.status, answer.body.code]).toEqual([401, 'auth/no-public-key-registered'])
    }
    const foreign = { userId: 'ada', token: plainToken(dev().authSecretKey, 'ada') }
    expect((await auth(foreign, frontApiKey)).body.code).toBe('auth/invalid-token-signature')
  })
})

test('a session survives a restart, and an ended session stays ended', async () => {
  const [remaining, ended] = [await given.signIn('eve'), await given.signIn('eve')]
  expect(await given.call('DELETE', '/v1/inbox/session', { session: ended })).toMatchObject({ status: 200 })
  await given.restart()
  expect((await given.call('GET', '/v1/inbox/messages', { session: ended })).status).toBe(401)
  expect((await given.call('GET', '/v1/inbox/messages', { session: remaining })).status).toBe(200)
  const key = dev().sdkSecretKey
  expect((await given.call('POST', '/v1/users/eve/sign-out', { key })).body).toEqual({ ended: 1 })
  expect((await given.call('GET', '/v1/inbox/messages', { session: remaining })).status).toBe(401)
})

test('an answer to a refused sign-in contains no credential', async () => {
  const token = plainToken(dev().authSecretKey, 'ada').replace(/^./, 'x')
  const answer = await auth({ userId: 'ada', token })
  const text = JSON.stringify([answer.body, [...answer.headers]])
  for (const secret of [token, dev().authSecretKey, dev().frontApiKey, dev().sdkSecretKey]) {
    expect(text).not.toContain(secret)
  }
})
