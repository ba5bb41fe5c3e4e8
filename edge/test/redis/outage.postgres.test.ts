// Tests a Redis that is killed, frozen or flushed: commits continue, clients of the same node get pushes,
// and all catch up within 5 s. PostgreSQL alone: SQLite uses no Redis.

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { InboxFrame } from '../../../contract/frames.ts'
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

/** Adds `count` messages; each is acknowledged soon and pushed on the node that accepted it. */
async function tellWhileAway(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    expect(await given.tell('ann')).toBeLessThan(WITHOUT_REDIS_MS)
    const seq = n + 2
    await within(500, () => expect(here.seq()).toBe(seq))
  }
}

/** Adds one message and requires its push on both nodes, so that Redis works at first. */
async function tellFirst(): Promise<void> {
  await given.tell('ann')
  await within(1000, () => expect([here.seq(), there.seq()]).toEqual([1, 1]))
  expect(there.frames.at(-1)).toEqual(here.frames.at(-1))
  expect(there.frames).toHaveLength(2)
}

/** Requires that pushes reach the other node again: the next one arrives soon as a frame. */
async function expectPushes(seq: number): Promise<void> {
  await within(5000, () => expect(areUp()).toBe(true))
  await given.tell('ann')
  await within(1000, () => expect(there.frames.at(-1)).toMatchObject({ seq, changes: [{ op: 'add' }] }))
}

test('killed and restarted: clients of the other node read from the store, then get pushes again', async () => {
  await tellFirst()
  await redis.kill()
  await within(1000, () => expect(areDown()).toBe(true))
  await tellWhileAway(3)
  // From the store, because Redis is still away.
  await within(5000, () => expect(there.seq()).toBe(4))
  await given.tell('ann')
  await redis.restart()
  await within(5000, () => expect([there.seq(), areUp()]).toEqual([5, true]))
  await expectPushes(6)
})

test('frozen: the bus counts Redis as lost, and uses it again when it answers', async () => {
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

test('frozen before a client connects: the client is served', async () => {
  redis.pause()
  const { token, epoch } = await given.signIn('bob')
  const newcomer = given.follow(given.b, token, epoch)
  await within(3000, () => expect(newcomer.frames).toHaveLength(1))
  redis.resume()
  await within(5000, () => expect(areUp()).toBe(true))
  await given.tell('bob')
  await within(1000, () => expect(newcomer.seq()).toBe(1))
})

test('flushed: nothing is lost, because Redis stores no data', async () => {
  await tellFirst()
  const client = createRedisClient(redis.url, { enableOfflineQueue: true })
  expect(await client.dbsize()).toBe(0)
  await client.flushall()
  client.disconnect()
  await given.tell('ann')
  await within(1000, () => expect(there.frames.at(-1)).toMatchObject({ seq: 2, changes: [{ op: 'add' }] }))
})

test('subscriptions disconnected: missed pushes are read from the store', async () => {
  await tellFirst()
  const client = createRedisClient(redis.url, { enableOfflineQueue: true })
  await client.client('KILL', 'TYPE', 'pubsub')
  await given.tell('ann')
  client.disconnect()
  await within(5000, () => expect(there.seq()).toBe(2))
  await expectPushes(3)
})

test('the channel of a user without sockets is unsubscribed, and other channels stay', async () => {
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

test('a client that disconnects during a sync causes no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  // The same state as after a push that Redis lost: `sync` waits for its answer.
  const behindAGap = { ...(here.frames.at(-1) as InboxFrame), from: 6, seq: 7 }
  for (const hear of here.client.listeners('inbox')) hear(behindAGap)
  here.client.disconnect()
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})
