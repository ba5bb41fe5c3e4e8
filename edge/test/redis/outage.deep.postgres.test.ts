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
let sameNode: Follower
let otherNode: Follower
beforeEach(async () => {
  redis = await startRedis()
  given = await givenNodes(redis.url)
  await within(20_000, () => expect(areUp()).toBe(true))
  const { token, epoch } = await given.signIn('ann')
  sameNode = given.follow(given.a, token, epoch)
  otherNode = given.follow(given.b, token, epoch)
  await within(20_000, () => expect([sameNode.frames.length, otherNode.frames.length]).toEqual([1, 1]))
})
afterEach(async () => {
  await given.close()
  await redis.remove()
})

const areUp = () => given.a.bus.isUp() && given.b.bus.isUp()
const areDown = () => !given.a.bus.isUp() && !given.b.bus.isUp()

/** Adds `count` messages; each is acknowledged soon and pushed on the node that accepted it. */
async function addDuringOutage(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    expect(await given.addMessage('ann')).toBeLessThan(WITHOUT_REDIS_MS)
    const seq = n + 2
    await within(500, () => expect(sameNode.seq()).toBe(seq))
  }
}

/** Adds one message and requires its push on both nodes, so that Redis works at first. */
async function addFirst(): Promise<void> {
  await given.addMessage('ann')
  await within(1000, () => expect([sameNode.seq(), otherNode.seq()]).toEqual([1, 1]))
  expect(otherNode.frames.at(-1)).toEqual(sameNode.frames.at(-1))
  expect(otherNode.frames).toHaveLength(2)
}

/** Requires that pushes reach the other node again: the next one arrives soon as a frame. */
async function expectPushes(seq: number): Promise<void> {
  await within(5000, () => expect(areUp()).toBe(true))
  await given.addMessage('ann')
  await within(1000, () => expect(otherNode.frames.at(-1)).toMatchObject({ seq, changes: [{ op: 'add' }] }))
}

test('killed and restarted: clients of the other node read from the store, then get pushes again', async () => {
  await addFirst()
  await redis.kill()
  await within(1000, () => expect(areDown()).toBe(true))
  await addDuringOutage(3)
  // From the store, because Redis is still away.
  await within(5000, () => expect(otherNode.seq()).toBe(4))
  await given.addMessage('ann')
  await redis.restart()
  await within(5000, () => expect([otherNode.seq(), areUp()]).toEqual([5, true]))
  await expectPushes(6)
})

test('frozen: the bus counts Redis as lost, and uses it again when it answers', async () => {
  await addFirst()
  redis.pause()
  await addDuringOutage(2)
  await within(4000, () => expect(areDown()).toBe(true))
  await within(5000, () => expect(otherNode.seq()).toBe(3))
  await given.addMessage('ann')
  redis.resume()
  await within(5000, () => expect([otherNode.seq(), areUp()]).toEqual([4, true]))
  await expectPushes(5)
})

test('frozen before a client connects: the client is served', async () => {
  redis.pause()
  const { token, epoch } = await given.signIn('bob')
  const newClient = given.follow(given.b, token, epoch)
  await within(3000, () => expect(newClient.frames).toHaveLength(1))
  redis.resume()
  await within(5000, () => expect(areUp()).toBe(true))
  await given.addMessage('bob')
  await within(1000, () => expect(newClient.seq()).toBe(1))
})

test('flushed: nothing is lost, because Redis stores no data', async () => {
  await addFirst()
  const client = createRedisClient(redis.url, { enableOfflineQueue: true })
  expect(await client.dbsize()).toBe(0)
  await client.flushall()
  client.disconnect()
  await given.addMessage('ann')
  await within(1000, () => expect(otherNode.frames.at(-1)).toMatchObject({ seq: 2, changes: [{ op: 'add' }] }))
})

test('subscriptions disconnected: missed pushes are read from the store', async () => {
  await addFirst()
  const client = createRedisClient(redis.url, { enableOfflineQueue: true })
  await client.client('KILL', 'TYPE', 'pubsub')
  await given.addMessage('ann')
  client.disconnect()
  await within(5000, () => expect(otherNode.seq()).toBe(2))
  await expectPushes(3)
})

test('the channel of a user without sockets is unsubscribed, and other channels stay', async () => {
  const bob = await given.signIn('bob')
  const remaining = given.follow(given.b, bob.token, bob.epoch)
  await within(20_000, () => expect(remaining.frames).toHaveLength(1))
  const client = createRedisClient(redis.url, { enableOfflineQueue: true })
  const channels = async () => Number((await client.pubsub('CHANNELS', '*:u:*')).length)
  expect(await channels()).toBe(2)
  sameNode.client.disconnect()
  otherNode.client.disconnect()
  await vi.waitFor(async () => expect(await channels()).toBe(1), { timeout: 60_000, interval: 100 })
  client.disconnect()
  await given.addMessage('bob')
  await within(1000, () => expect(remaining.seq()).toBe(1))
})

test('a client that disconnects during a sync causes no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const record = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', record)
  onTestFinished(() => void process.off('unhandledRejection', record))
  // The same state as after a push that Redis lost: `sync` waits for its answer.
  const afterGap = { ...(sameNode.frames.at(-1) as InboxFrame), from: 6, seq: 7 }
  for (const listener of sameNode.client.listeners('inbox')) listener(afterGap)
  sameNode.client.disconnect()
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})
