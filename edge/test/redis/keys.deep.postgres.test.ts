// Tests that keys and sessions end on every node within a second without Redis, by the store.
// PostgreSQL alone: SQLite uses no Redis.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startRedis } from '../support/servers.ts'
import { within } from '../support/within.ts'
import { type GivenNodes, givenNodes, WITHOUT_REDIS_MS } from './given-nodes.ts'

const BY = { actor: 'cli', who: 'test' } as const

let redis: Awaited<ReturnType<typeof startRedis>>
let given: GivenNodes
beforeEach(async () => {
  redis = await startRedis()
  await redis.kill()
  given = await givenNodes(redis.url)
})
afterEach(async () => {
  await given.close()
  await redis.remove()
})

test('a key that is retired on one node is refused on the other within a second', async () => {
  const { values, environment } = given
  expect(await given.b.keyRing.findBySdkKey(values.sdkSecretKey)).toBeDefined()
  const { value } = await given.a.rotate.emergency(environment.id, 'sdkSecretKey', BY)
  await within(1000, async () => expect(await given.b.keyRing.findBySdkKey(values.sdkSecretKey)).toBeUndefined())
  expect(await given.b.keyRing.findBySdkKey(value)).toBeDefined()
})

test('a session that ends on one node is refused on the other within a second, and its socket is closed', async () => {
  const ann = await given.signIn('ann')
  const other = await given.signIn('ann')
  const ending = given.follow(given.b, ann.token, ann.epoch)
  const remaining = given.follow(given.b, other.token, other.epoch)
  await vi.waitFor(() => expect([ending.frames.length, remaining.frames.length]).toEqual([1, 1]), 20_000)
  let closed = false
  ending.client.on('disconnect', () => {
    closed = true
  })
  await given.a.sessions.end(ann.session)
  await within(1000, async () => {
    await expect(given.b.sessions.verify(ann.token)).rejects.toMatchObject({ code: 'auth/invalid-session' })
    expect(closed).toBe(true)
  })
  expect((await given.b.sessions.verify(other.token)).id).toBe(other.session.id)
  expect(remaining.client.connected).toBe(true)
})

test('a node that starts without Redis serves, and exchanges pushes when Redis is available', async () => {
  const { token, epoch } = await given.signIn('ann')
  const follower = given.follow(given.b, token, epoch)
  await vi.waitFor(() => expect(follower.frames).toHaveLength(1), 20_000)
  expect(await given.addMessage('ann')).toBeLessThan(WITHOUT_REDIS_MS)
  expect([given.a.bus.isUp(), given.b.bus.isUp()]).toEqual([false, false])
  await vi.waitFor(() => expect(follower.seq()).toBe(1), 20_000)
  await redis.restart()
  await vi.waitFor(() => expect([given.a.bus.isUp(), given.b.bus.isUp()]).toEqual([true, true]), 20_000)
  await given.addMessage('ann')
  await vi.waitFor(() => expect(follower.frames.at(-1)).toMatchObject({ seq: 2, changes: [{ op: 'add' }] }), 20_000)
})
