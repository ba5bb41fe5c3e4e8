// Redis gone, frozen, flushed, cut or back: what is acknowledged goes on, clients of the same node hear at once, all are right within 5 s of its return (issue 5, item 2). Redis comes with PostgreSQL alone.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRedisClient } from '../../bus/redis.ts'
import { startRedis } from '../support/servers.ts'
import { within } from '../support/within.ts'
import { type Follower, type GivenNodes, givenNodes, WITHOUT_REDIS_MS } from './given-nodes.ts'

let redis: Awaited<ReturnType<typeof startRedis>>
let given: GivenNodes
let here: Follower
let there: Follower
beforeEach(async () => {
  redis = await startRedis()
  given = await givenNodes(redis.url)
  await within(20_000, () => expect(areUp()).toBe(true))
  const { token, epoch } = await given.signIn('ann')
  here = given.follow(given.a, token, epoch)
  there = given.follow(given.b, token, epoch)
  await within(20_000, () => expect([here.frames.length, there.frames.length]).toEqual([1, 1]))
})
afterEach(async () => {
  await given.close()
  await redis.remove()
})

const areUp = () => given.a.bus.isUp() && given.b.bus.isUp()
const areDown = () => !given.a.bus.isUp() && !given.b.bus.isUp()

/** Tells `count` messages; each is acknowledged soon, and heard at the node that took it. */
async function tellWhileAway(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    expect(await given.tell('ann')).toBeLessThan(WITHOUT_REDIS_MS)
    const seq = n + 2
    await within(500, () => expect(here.seq()).toBe(seq))
  }
}

/** The one push that goes by Redis shows that all is well at first. */
async function tellFirst(): Promise<void> {
  await given.tell('ann')
  await within(1000, () => expect([here.seq(), there.seq()]).toEqual([1, 1]))
  expect(there.frames.at(-1)).toEqual(here.frames.at(-1))
  expect(there.frames).toHaveLength(2)
}

/** Redis is back, and carries pushes: the next one comes as a frame, and soon. */
async function expectPushes(seq: number): Promise<void> {
  await within(5000, () => expect(areUp()).toBe(true))
  await given.tell('ann')
  await within(1000, () => expect(there.frames.at(-1)).toMatchObject({ seq, changes: [{ op: 'add' }] }))
}

test('killed and started again', async () => {
  await tellFirst()
  await redis.kill()
  await within(1000, () => expect(areDown()).toBe(true))
  await tellWhileAway(3)
  // From the store, while Redis is still away.
  await within(5000, () => expect(there.seq()).toBe(4))
  await given.tell('ann')
  await redis.restart()
  await within(5000, () => expect([there.seq(), areUp()]).toEqual([5, true]))
  await expectPushes(6)
})

test('frozen: it is given up for lost, and taken again', async () => {
  await tellFirst()
  redis.pause()
  await tellWhileAway(2)
  await within(4000, () => expect(areDown()).toBe(true))
  await within(5000, () => expect(there.seq()).toBe(3))
  await given.tell('ann')
  redis.resume()
  await within(5000, () => expect([there.seq(), areUp()]).toEqual([4, true]))
  await expectPushes(5)
})

test('frozen when a client comes: it is served all the same', async () => {
  redis.pause()
  const { token, epoch } = await given.signIn('bob')
  const newcomer = given.follow(given.b, token, epoch)
  await within(3000, () => expect(newcomer.frames).toHaveLength(1))
  redis.resume()
  await within(5000, () => expect(areUp()).toBe(true))
  await given.tell('bob')
  await within(1000, () => expect(newcomer.seq()).toBe(1))
})

test('flushed: nothing of it was kept there', async () => {
  await tellFirst()
  const client = createRedisClient(redis.url, { enableOfflineQueue: true })
  expect(await client.dbsize()).toBe(0)
  await client.flushall()
  client.disconnect()
  await given.tell('ann')
  await within(1000, () => expect(there.frames.at(-1)).toMatchObject({ seq: 2, changes: [{ op: 'add' }] }))
})

test('the connections that hear are cut: what was said meanwhile is learnt from the store', async () => {
  await tellFirst()
  const client = createRedisClient(redis.url, { enableOfflineQueue: true })
  await client.client('KILL', 'TYPE', 'pubsub')
  await given.tell('ann')
  client.disconnect()
  await within(5000, () => expect(there.seq()).toBe(2))
  await expectPushes(3)
})

test('a user who left is no longer heard of, one who stays is', async () => {
  const bob = await given.signIn('bob')
  const stays = given.follow(given.b, bob.token, bob.epoch)
  await within(20_000, () => expect(stays.frames).toHaveLength(1))
  const client = createRedisClient(redis.url, { enableOfflineQueue: true })
  const channels = async () => Number((await client.pubsub('CHANNELS', '*:u:*')).length)
  expect(await channels()).toBe(2)
  here.client.disconnect()
  there.client.disconnect()
  await vi.waitFor(async () => expect(await channels()).toBe(1), { timeout: 20_000, interval: 100 })
  client.disconnect()
  await given.tell('bob')
  await within(1000, () => expect(stays.seq()).toBe(1))
})
