// Tests the states of a secret, its overlaps and its audit entries.

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SecretKind } from '../../../contract/tenant.ts'
import { newSecretValue } from '../../auth/new-secret.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { createIdSource } from '../../lib/id.ts'
import { type GivenAuth, givenAuth } from '../../test/support/given-auth.ts'
import { createRotateSecret, type RotateSecret } from './rotate-secret.ts'
import { createSettleRetired } from './settle-retired.ts'

const HOUR = 3_600_000
const BY = { actor: 'api', who: 'owner@shop' } as const
let given: GivenAuth
let flow: RotateSecret
let settle: () => Promise<number>
let environmentId: number
beforeEach(async () => {
  given = await givenAuth()
  const { stores, bus, clock, sealer } = given
  const secretIds = createIdSource(clock, 1)
  flow = createRotateSecret({
    secrets: stores.secrets,
    rotations: stores.rotations,
    bus,
    clock,
    ids: { secret: secretIds },
    region: 'eu',
    newSecretValue,
    seal: sealer.seal,
  })
  const endSessions = given.sessions.endAllOfCredential
  settle = createSettleRetired({ rotations: stores.rotations, endSessions, bus, clock })
  environmentId = (await given.createEnvironment()).environment.id
  given.clock.at += 1000
})
afterEach(() => given.close())

const codeOf = (work: Promise<unknown>) => work.then(String, (error: { code?: string }) => error.code)

test.each<[SecretKind]>([['sdkSecretKey'], ['authSecretKey'], ['frontApiKey'], ['webhookSigningSecret']])(
  '%s goes from single to overlap and, by itself, to single',
  async (kind) => {
    expect(await flow.read(environmentId, kind)).toMatchObject({ kind, state: 'single', previous: null })
    const { value, rotation } = await flow.rotate(environmentId, kind, BY)
    const [young, old] = await given.stores.secrets.list(environmentId, kind)
    expect(young?.hash).toBe(sha256Hex(value))
    expect(old?.retiresAt).toBe(given.clock.at + 24 * HOUR)
    expect(rotation).toMatchObject({ state: 'overlap', current: { retiresAt: null } })
    given.clock.at += 24 * HOUR - 1
    expect(await settle()).toBe(0)
    expect((await flow.read(environmentId, kind)).state).toBe('overlap')
    given.clock.at += 1
    expect((await flow.read(environmentId, kind)).state).toBe('single')
    expect(await settle()).toBe(1)
    expect(await settle()).toBe(0)
    const [, settled] = await given.stores.secrets.list(environmentId, kind)
    expect([settled?.plain, settled?.sealed]).toEqual([null, null])
  },
)

test('an overlap that has ended stays ended when the clock is set back', async () => {
  await flow.rotate(environmentId, 'authSecretKey', BY, HOUR)
  given.clock.at += HOUR
  expect(await settle()).toBe(1)
  given.clock.at -= HOUR / 2
  expect((await flow.read(environmentId, 'authSecretKey')).state).toBe('single')
  expect(await codeOf(flow.extend(environmentId, 'authSecretKey', BY, 2 * HOUR))).toBe('request/conflict')
  expect((await flow.rotate(environmentId, 'authSecretKey', BY, HOUR)).rotation.state).toBe('overlap')
})

/** @returns The audit entries of secrets, without the creation of the environment. */
async function changesOfSecrets() {
  const entries = await given.stores.audit.list(environmentId, 10)
  return entries.filter(({ action }) => action.startsWith('secret.'))
}

test('at most two values are live: a rotation during an overlap conflicts and changes nothing', async () => {
  await flow.rotate(environmentId, 'sdkSecretKey', BY, HOUR)
  expect(await codeOf(flow.rotate(environmentId, 'sdkSecretKey', BY))).toBe('request/conflict')
  expect(await given.stores.secrets.list(environmentId, 'sdkSecretKey')).toHaveLength(2)
  expect(await changesOfSecrets()).toHaveLength(1)
  given.clock.at += HOUR
  await flow.rotate(environmentId, 'sdkSecretKey', BY)
  expect(await given.stores.secrets.list(environmentId, 'sdkSecretKey')).toHaveLength(3)
})

test('an overlap that ends by itself ends exactly the sessions of the old value', async () => {
  const { stores, clock } = given
  const [old] = await stores.secrets.list(environmentId, 'authSecretKey')
  const { value } = await flow.rotate(environmentId, 'authSecretKey', BY, HOUR)
  const session = {
    environmentId,
    userNo: 1,
    userId: 'u',
    frontKeyId: 1,
    createdAt: clock.at,
    expiresAt: clock.at + 2 * HOUR,
  }
  await stores.sessions.create({ ...session, id: 11, credential: old?.hash as string })
  await stores.sessions.create({ ...session, id: 12, credential: sha256Hex(value) })
  await stores.sessions.create({
    ...session,
    id: 13,
    credential: old?.hash as string,
    environmentId: environmentId + 1,
  })
  const ended: number[] = []
  given.bus.subscribe('sessions-ended', ({ sessionIds }) => ended.push(...sessionIds))
  clock.at += HOUR
  await settle()
  expect(ended).toEqual([11])
  expect(await stores.sessions.listEnded(clock.at)).toEqual([11])
})

test('one of two concurrent rotations succeeds', async () => {
  const both = [flow.rotate(environmentId, 'authSecretKey', BY), flow.rotate(environmentId, 'authSecretKey', BY)]
  const codes = await Promise.all(both.map(codeOf))
  expect(codes.filter((code) => code === 'request/conflict')).toHaveLength(1)
})

test('an overlap is extended to a later end only, and ended early', async () => {
  expect(await codeOf(flow.extend(environmentId, 'sdkSecretKey', BY))).toBe('request/conflict')
  expect(await codeOf(flow.retire(environmentId, 'sdkSecretKey', BY))).toBe('request/conflict')
  await flow.rotate(environmentId, 'sdkSecretKey', BY)
  expect(await codeOf(flow.extend(environmentId, 'sdkSecretKey', BY, 2 * HOUR))).toBe('request/conflict')
  await flow.extend(environmentId, 'sdkSecretKey', BY, 7 * 24 * HOUR)
  const [, old] = await given.stores.secrets.list(environmentId, 'sdkSecretKey')
  expect(old?.retiresAt).toBe(given.clock.at + 7 * 24 * HOUR)
  expect((await flow.retire(environmentId, 'sdkSecretKey', BY)).state).toBe('single')
})

test('an emergency leaves one value, also during an overlap, and takes effect in the key ring at once', async () => {
  const first = await flow.rotate(environmentId, 'sdkSecretKey', BY)
  expect(await given.keyRing.findBySdkKey(first.value)).toBeDefined()
  const second = await flow.emergency(environmentId, 'sdkSecretKey', BY)
  expect(await given.keyRing.findBySdkKey(first.value)).toBeUndefined()
  expect(await given.keyRing.findBySdkKey(second.value)).toBeDefined()
  expect(second.rotation.state).toBe('single')
})

test('the audit log contains who did what and when, and no value', async () => {
  const values = [(await flow.rotate(environmentId, 'authSecretKey', BY)).value]
  await flow.retire(environmentId, 'authSecretKey', BY)
  values.push((await flow.emergency(environmentId, 'authSecretKey', BY)).value)
  const log = await changesOfSecrets()
  expect(log.map(({ action }) => action)).toEqual(['secret.emergency', 'secret.retire', 'secret.rotate'])
  expect(log[0]).toMatchObject({ ...BY, at: given.clock.at, subject: 'authSecretKey' })
  for (const value of values) {
    expect(JSON.stringify(log)).not.toContain(value)
    expect(JSON.stringify(log)).not.toContain(sha256Hex(value))
  }
})
