// Tests the key ring: keys are confirmed within a second, retired in time, dropped on a change, never served unconfirmed.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Environment } from '../domain/environment.ts'
import { sha256Hex } from '../lib/hmac.ts'
import { startRunningTime } from '../lib/running-time.ts'
import { type GivenAuth, givenAuth, refusalOf } from '../test/support/given-auth.ts'
import { createKeyRing } from './key-ring.ts'

let given: GivenAuth
beforeEach(async () => {
  given = await givenAuth()
})
afterEach(() => given.close())

async function addAuthSecret(environment: Environment, value: string): Promise<void> {
  await given.stores.secrets.create({
    id: given.ids.secret.next(),
    environmentId: environment.id,
    kind: 'authSecretKey',
    hash: sha256Hex(value),
    plain: null,
    sealed: await given.sealer.seal(value),
    createdAt: given.clock.now(),
    retiresAt: null,
    lastUsedAt: null,
  })
}

test('each key resolves to its own environment, and only as its own kind', async () => {
  const dev = await given.createEnvironment()
  const prod = await given.createEnvironment({ name: 'prod', isProduction: true })
  const { keyRing } = given
  expect((await keyRing.findBySdkKey(dev.values.sdkSecretKey))?.environment).toMatchObject(dev.environment)
  expect((await keyRing.findByFrontKey(prod.values.frontApiKey))?.environment).toMatchObject(prod.environment)
  expect(await keyRing.findBySdkKey(dev.values.frontApiKey)).toBeUndefined()
  expect(await keyRing.findByFrontKey(dev.values.sdkSecretKey)).toBeUndefined()
  expect(await keyRing.listAuthSecrets(dev.environment.id)).toEqual([
    { id: expect.any(Number), value: dev.values.authSecretKey, hash: sha256Hex(dev.values.authSecretKey) },
  ])
  expect(await keyRing.listAuthSecrets(12345)).toEqual([])
})

test('a retirement that is known takes effect to the millisecond', async () => {
  const { environment, values } = await given.createEnvironment()
  const [secret] = await given.stores.secrets.list(environment.id, 'sdkSecretKey')
  await given.stores.secrets.retire(environment.id, secret?.id as number, given.clock.at + 100)
  expect(await given.keyRing.findBySdkKey(values.sdkSecretKey)).toBeDefined()
  given.clock.at += 99
  expect(await given.keyRing.findBySdkKey(values.sdkSecretKey)).toBeDefined()
  given.clock.at += 1
  expect(await given.keyRing.findBySdkKey(values.sdkSecretKey)).toBeUndefined()
})

test('a change without a notice takes effect within a second', async () => {
  const { environment, values } = await given.createEnvironment()
  const newKey = 'nc_sdk_eu_newcomer'
  const find = async () => [
    (await given.keyRing.findBySdkKey(values.sdkSecretKey)) !== undefined,
    (await given.keyRing.findBySdkKey(newKey)) !== undefined,
    (await given.keyRing.findByFrontKey(values.frontApiKey))?.environment.disabledAt,
    await given.keyRing.isFrontKeyLive(environment.id, (await frontKey())?.id as number),
  ]
  const frontKey = async () => (await given.stores.secrets.list(environment.id, 'frontApiKey'))[0]
  expect(await find()).toEqual([true, false, null, true])
  const [secret] = await given.stores.secrets.list(environment.id, 'sdkSecretKey')
  await given.stores.secrets.retire(environment.id, secret?.id as number, given.clock.at)
  await given.stores.secrets.create({
    ...(secret as NonNullable<typeof secret>),
    id: given.ids.secret.next(),
    hash: sha256Hex(newKey),
  })
  await given.stores.environments.update({ ...environment, revision: 0, disabledAt: given.clock.at })
  given.clock.at += 999
  expect(await find()).toEqual([false, true, given.clock.at - 999, true])
})

test('a published change takes effect at once, also for keys that were unknown', async () => {
  const { environment } = await given.createEnvironment()
  expect(await given.keyRing.listAuthSecrets(environment.id)).toHaveLength(1)
  await addAuthSecret(environment, 'second')
  expect(await given.keyRing.listAuthSecrets(environment.id)).toHaveLength(1)
  given.bus.publish('environment-changed', { environmentId: environment.id })
  expect((await given.keyRing.listAuthSecrets(environment.id)).map(({ value }) => value)).toContain('second')
})

test('a retired and settled value stays retired when the clock is set back, and the current value stays valid', async () => {
  const { environment, values } = await given.createEnvironment()
  const { keyRing, stores, clock } = given
  await addAuthSecret(environment, 'second')
  for (const kind of ['sdkSecretKey', 'frontApiKey', 'authSecretKey'] as const) {
    const id = (await stores.secrets.list(environment.id, kind)).at(-1)?.id as number
    await stores.secrets.retire(environment.id, id, clock.at)
    await stores.rotations.settle(environment.id, id, clock.at)
  }
  clock.at -= 60 * 60 * 1000
  expect((await keyRing.listAuthSecrets(environment.id)).map(({ value }) => value)).toEqual(['second'])
  expect(await keyRing.findBySdkKey(values.sdkSecretKey)).toBeUndefined()
  expect(await keyRing.findByFrontKey(values.frontApiKey)).toBeUndefined()
})

test('a refresh finds a change without a notice, also during a read that began before it', async () => {
  const { environment } = await given.createEnvironment()
  expect(await given.keyRing.listAuthSecrets(environment.id)).toHaveLength(1)
  await addAuthSecret(environment, 'second')
  const early = given.keyRing.refresh(environment.id)
  await addAuthSecret(environment, 'third')
  await given.keyRing.refresh(environment.id)
  expect((await given.keyRing.listAuthSecrets(environment.id)).map(({ value }) => value)).toContain('third')
  await early
})

describe('reads of the store', () => {
  function givenCounting() {
    const asked: string[] = []
    const disk = { fails: false, hold: Promise.resolve() }
    const secrets = {
      ...given.stores.secrets,
      async findByHash(...args: Parameters<typeof given.stores.secrets.findByHash>) {
        asked.push(args[1])
        if (disk.fails) throw new Error('disk I/O error')
        const found = await given.stores.secrets.findByHash(...args)
        await disk.hold
        return found
      },
    }
    const ring = createKeyRing({
      ...given.stores,
      secrets,
      open: given.sealer.open,
      clock: given.clock,
      bus: given.bus,
    })
    return { ring, asked, disk }
  }

  test('concurrent calls for a key, known or unknown, share one read', async () => {
    const { values } = await given.createEnvironment()
    const { ring, asked } = givenCounting()
    await Promise.all(Array.from({ length: 20 }, () => ring.findBySdkKey(values.sdkSecretKey)))
    for (let i = 0; i < 20; i++) await ring.findBySdkKey('nc_sdk_eu_unknown')
    expect(asked).toHaveLength(2)
    expect(asked.join()).not.toContain('nc_sdk')
  })

  test('concurrent refreshes share two reads, and a failed read keeps what is cached', async () => {
    const { environment } = await given.createEnvironment()
    const asked: string[] = []
    const disk = { fails: false }
    const secrets = {
      ...given.stores.secrets,
      async list(...args: Parameters<typeof given.stores.secrets.list>) {
        asked.push(args[1])
        if (disk.fails) throw new Error('disk I/O error')
        return given.stores.secrets.list(...args)
      },
    }
    const ring = createKeyRing({
      ...given.stores,
      secrets,
      open: given.sealer.open,
      clock: given.clock,
      bus: given.bus,
    })
    await ring.listAuthSecrets(environment.id)
    await Promise.all(Array.from({ length: 20 }, () => ring.refresh(environment.id)))
    expect(asked.filter((kind) => kind === 'authSecretKey')).toHaveLength(2)
    disk.fails = true
    expect(await refusalOf(ring.refresh(environment.id))).toBe('503 service/unavailable')
    expect(await ring.listAuthSecrets(environment.id)).toHaveLength(1)
  })

  test('a key that cannot be confirmed is 503, and the next call reads it again', async () => {
    const { values } = await given.createEnvironment()
    const { ring, disk } = givenCounting()
    await ring.findBySdkKey(values.sdkSecretKey)
    disk.fails = true
    expect(await ring.findBySdkKey(values.sdkSecretKey)).toBeDefined()
    given.clock.at += 1000
    expect(await refusalOf(ring.findBySdkKey(values.sdkSecretKey))).toBe('503 service/unavailable')
    disk.fails = false
    expect(await ring.findBySdkKey(values.sdkSecretKey)).toBeDefined()
  })

  test('a read that took a second is not used, and is repeated once', async () => {
    const { environment, values } = await given.createEnvironment()
    const { ring, disk } = givenCounting()
    disk.hold = (async () => {
      const [secret] = await given.stores.secrets.list(environment.id, 'sdkSecretKey')
      await given.stores.secrets.retire(environment.id, secret?.id as number, given.clock.at)
      given.clock.at += 5000
    })()
    expect(await ring.findBySdkKey(values.sdkSecretKey)).toBeUndefined()
  })

  test('a store that does not answer is 503 within 1.5 s', async () => {
    const { values } = await given.createEnvironment()
    const { ring, disk } = givenCounting()
    disk.hold = new Promise(() => {})
    const time = startRunningTime(10)
    const beganAt = time.now()
    expect(await refusalOf(ring.findBySdkKey(values.sdkSecretKey))).toBe('503 service/unavailable')
    expect(time.now() - beganAt).toBeLessThan(1500)
    time.stop()
  })

  test('a clock that is set back does not prolong the life of a key', async () => {
    const { environment, values } = await given.createEnvironment()
    const { ring } = givenCounting()
    expect(await ring.findBySdkKey(values.sdkSecretKey)).toBeDefined()
    const [secret] = await given.stores.secrets.list(environment.id, 'sdkSecretKey')
    await given.stores.secrets.retire(environment.id, secret?.id as number, 0)
    given.clock.at -= 60 * 60 * 1000
    expect(await ring.findBySdkKey(values.sdkSecretKey)).toBeUndefined()
  })

  test('a read that began before a change is not kept', async () => {
    const { environment, values } = await given.createEnvironment()
    const { ring, disk } = givenCounting()
    let release = () => {}
    disk.hold = new Promise((resolve) => {
      release = resolve
    })
    const early = ring.findBySdkKey(values.sdkSecretKey)
    const [secret] = await given.stores.secrets.list(environment.id, 'sdkSecretKey')
    await given.stores.secrets.retire(environment.id, secret?.id as number, given.clock.at)
    given.bus.publish('environment-changed', { environmentId: environment.id })
    release()
    await early
    expect(await ring.findBySdkKey(values.sdkSecretKey)).toBeUndefined()
  })
})
