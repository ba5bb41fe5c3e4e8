// Tests that widget sessions end by time, sign-out, user and credential, and that others stay.

import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Environment } from '../domain/environment.ts'
import { sha256Hex } from '../lib/hmac.ts'
import { type GivenAuth, givenAuth, LIFETIME_MS, refusalOf } from '../test/support/given-auth.ts'
import { publicKeyCredential } from './jwt.ts'
import { deriveSessionKey } from './master-key.ts'

let given: GivenAuth
let environment: Environment
let credential: string
let frontKeyId: number
let ended: number[]
beforeEach(async () => {
  given = await givenAuth()
  const created = await given.createEnvironment()
  environment = created.environment
  credential = sha256Hex(created.values.authSecretKey)
  frontKeyId = (await given.stores.secrets.list(environment.id, 'frontApiKey'))[0]?.id as number
  ended = []
  given.bus.subscribe('sessions-ended', ({ sessionIds }) => ended.push(...sessionIds))
})
afterEach(() => given.close())

async function issue(userId = 'u_1', by = credential) {
  const user = await given.stores.users.upsert(environment.id, userId, {}, given.clock.at)
  return given.sessions.issue({ environment, user, credential: by, frontKeyId })
}
const REFUSED = '401 auth/invalid-session'

test('a session has its user, environment, credential and key until it ends', async () => {
  const { token, session } = await issue()
  expect(session).toMatchObject({
    environmentId: environment.id,
    userId: 'u_1',
    credential,
    frontKeyId,
    createdAt: given.clock.at,
    expiresAt: given.clock.at + LIFETIME_MS,
  })
  expect(await given.sessions.verify(token)).toEqual(session)
  expect(await given.openSessions().verify(token)).toEqual(session)
  expect(decodeProtectedHeader(token).alg).toBe('HS256')
  expect(decodeJwt(token)).toMatchObject({ sub: 'u_1', exp: session.expiresAt / 1000 })
  given.clock.at += LIFETIME_MS - 1
  expect(await given.sessions.verify(token)).toEqual(session)
  given.clock.at += 1
  expect(await refusalOf(given.sessions.verify(token))).toBe(REFUSED)
  expect(await refusalOf(given.openSessions().verify(token))).toBe(REFUSED)
})

test('no token, a changed one, one under another key, and one for another purpose are refused', async () => {
  const { token } = await issue()
  const [head, body, mac] = token.split('.') as [string, string, string]
  const claims = decodeJwt(token)
  const elsewhere = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
  const key = deriveSessionKey([new Uint8Array(32).fill(7)])
  const otherPurpose = await new SignJWT({ ...claims, aud: 'x' }).setProtectedHeader({ alg: 'HS256' }).sign(key)
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'u_2' })).toString('base64url')
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
  const tokens = [undefined, '', 'x', elsewhere, otherPurpose, `${head}.${changed}.${mac}`, unsigned, 'x'.repeat(9000)]
  for (const wrong of tokens) expect(await refusalOf(given.sessions.verify(wrong))).toBe(REFUSED)
  const again = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key)
  expect(await given.sessions.verify(again)).toMatchObject({ userId: 'u_1' })
})

describe('ends', () => {
  test('by sign-out: this session alone, published once, also after a restart', async () => {
    const [one, two] = [await issue(), await issue()]
    await given.sessions.verify(one.token)
    await given.sessions.end(one.session)
    expect(ended).toEqual([one.session.id])
    expect(await refusalOf(given.sessions.verify(one.token))).toBe(REFUSED)
    expect(await given.sessions.verify(two.token)).toEqual(two.session)
    const restarted = given.openSessions()
    await restarted.load()
    expect(await refusalOf(restarted.verify(one.token))).toBe(REFUSED)
    expect(await restarted.verify(two.token)).toEqual(two.session)
    await given.sessions.end(one.session)
  })

  test('by its user: all sessions of that user', async () => {
    const [one, two, other] = [await issue(), await issue(), await issue('u_2')]
    expect(await given.sessions.endAllOfUser(one.session.userNo)).toBe(2)
    expect(ended.sort()).toEqual([one.session.id, two.session.id].sort())
    expect(await refusalOf(given.sessions.verify(two.token))).toBe(REFUSED)
    expect(await given.sessions.verify(other.token)).toEqual(other.session)
    expect(await given.sessions.endAllOfUser(one.session.userNo)).toBe(0)
  })

  test('by its credential: only the sessions of that credential', async () => {
    const publicKey = { algorithm: 'ES256', key: 'k', claims: { userId: 'sub' } }
    environment = { ...environment, publicKey }
    await given.stores.environments.update({ ...environment, revision: 0 })
    given.bus.publish('environment-changed', { environmentId: environment.id })
    const [byBackend, byKey] = [await issue(), await issue('u_1', publicKeyCredential(publicKey))]
    expect(await given.sessions.endAllOfCredential(environment.id, { credential: byKey.session.credential })).toBe(1)
    expect(ended).toEqual([byKey.session.id])
    expect(await refusalOf(given.sessions.verify(byKey.token))).toBe(REFUSED)
    expect(await given.sessions.verify(byBackend.token)).toEqual(byBackend.session)
    expect(await given.sessions.endAllOfCredential(environment.id, { frontKeyId })).toBe(1)
    expect(await refusalOf(given.sessions.verify(byBackend.token))).toBe(REFUSED)
  })

  test.each(['authSecretKey', 'frontApiKey'] as const)('by the end of its %s, also without a notice', async (kind) => {
    const { token } = await issue()
    const [secret] = await given.stores.secrets.list(environment.id, kind)
    await given.stores.secrets.retire(environment.id, secret?.id as number, given.clock.at + 60_000)
    given.clock.at += 59_999
    expect(await given.sessions.verify(token)).toMatchObject({ userId: 'u_1' })
    given.clock.at += 1
    expect(await refusalOf(given.sessions.verify(token))).toBe(REFUSED)
  })

  test('by another public key or a disabled environment', async () => {
    const publicKey = { algorithm: 'ES256', key: 'k', claims: { userId: 'sub' } }
    const change = async (to: Partial<Environment>) => {
      const kept = await given.stores.environments.find(environment.id)
      await given.stores.environments.update({ ...environment, ...to, revision: kept?.revision ?? 0 })
      given.bus.publish('environment-changed', { environmentId: environment.id })
    }
    await change({ publicKey })
    const { token } = await issue('u_1', publicKeyCredential(publicKey))
    await change({ publicKey: { ...publicKey, claims: { userId: 'id' } } })
    expect(await given.sessions.verify(token)).toMatchObject({ userId: 'u_1' })
    await change({ publicKey: { ...publicKey, key: 'other' } })
    expect(await refusalOf(given.sessions.verify(token))).toBe(REFUSED)
    await change({ publicKey, disabledAt: 1 })
    expect(await refusalOf(given.sessions.verify(token))).toBe(REFUSED)
    await change({ publicKey })
    expect(await given.sessions.verify(token)).toMatchObject({ userId: 'u_1' })
  })

  test('when another part publishes its end on the bus', async () => {
    const { token, session } = await issue()
    given.bus.publish('sessions-ended', { sessionIds: [session.id] })
    expect(await refusalOf(given.sessions.verify(token))).toBe(REFUSED)
  })
})

test('a session that ends during the read of ended sessions is not lost', async () => {
  const { token, session } = await issue()
  const restarted = given.openSessions()
  const loading = restarted.load()
  given.bus.publish('sessions-ended', { sessionIds: [session.id] })
  await loading
  expect(await refusalOf(restarted.verify(token))).toBe(REFUSED)
})
