// Keys and sessions end on every node within a second with Redis gone: that rests on the store (contract section 2). Redis comes with PostgreSQL alone.

import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startRedis } from '../support/servers.ts'
import { type GivenNodes, givenNodes } from './given-nodes.ts'

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

/** Milliseconds until it holds. */
async function timeUntil(check: () => Promise<void>): Promise<number> {
  const beganAt = performance.now()
  await vi.waitFor(check, { timeout: 5000, interval: 10 })
  return performance.now() - beganAt
}

test('a key that was retired at one node is refused at the other within a second', async () => {
  const { values, environment } = given
  expect(await given.b.keyRing.findBySdkKey(values.sdkSecretKey)).toBeDefined()
  const { value } = await given.a.rotate.emergency(environment.id, 'sdkSecretKey', BY, true)
  const tookMs = await timeUntil(async () =>
    expect(await given.b.keyRing.findBySdkKey(values.sdkSecretKey)).toBeUndefined(),
  )
  expect(tookMs).toBeLessThan(1000)
  expect(await given.b.keyRing.findBySdkKey(value)).toBeDefined()
})

test('a session that ended at one node is refused at the other within a second, and its socket closed', async () => {
  const ann = await given.signIn('ann')
  const other = await given.signIn('ann')
  const ends = given.follow(given.b, ann.token, ann.epoch)
  const stays = given.follow(given.b, other.token, other.epoch)
  await vi.waitFor(() => expect([ends.frames.length, stays.frames.length]).toEqual([1, 1]), 5000)
  let closed = false
  ends.client.on('disconnect', () => {
    closed = true
  })
  await given.a.sessions.end(ann.session)
  const tookMs = await timeUntil(async () => {
    await expect(given.b.sessions.verify(ann.token)).rejects.toMatchObject({ code: 'auth/invalid-session' })
    expect(closed).toBe(true)
  })
  expect(tookMs).toBeLessThan(1000)
  expect((await given.b.sessions.verify(other.token)).id).toBe(other.session.id)
  expect(stays.client.connected).toBe(true)
})

test('a node that starts without Redis serves, and joins the others when it comes', async () => {
  const { token, epoch } = await given.signIn('ann')
  const there = given.follow(given.b, token, epoch)
  await vi.waitFor(() => expect(there.frames).toHaveLength(1), 5000)
  expect(await given.tell('ann')).toBeLessThan(500)
  expect([given.a.bus.isUp(), given.b.bus.isUp()]).toEqual([false, false])
  await vi.waitFor(() => expect(there.seq()).toBe(1), 5000)
  await redis.restart()
  await vi.waitFor(() => expect([given.a.bus.isUp(), given.b.bus.isUp()]).toEqual([true, true]), 5000)
  await given.tell('ann')
  await vi.waitFor(() => expect(there.frames.at(-1)).toMatchObject({ seq: 2, changes: [{ op: 'add' }] }), 1000)
})
