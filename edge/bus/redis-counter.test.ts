// Two nodes count together in one Redis, and each by itself while it is away.

import { afterEach, expect, test } from 'vitest'
import { createInsuredCounter } from '../http/limits/insured-counter.ts'
import { createMemoryCounter } from '../http/limits/memory-counter.ts'
import { freshRedis, startRedis } from '../test/support/servers.ts'
import { createRedisCounter, type RedisCounter } from './redis-counter.ts'

const open: RedisCounter[] = []
afterEach(() => {
  for (const counter of open.splice(0)) counter.close()
})

/** As the app wires it; resolves when Redis answers. */
async function givenNode(url: string, { patienceMs, realm = 'r' }: { patienceMs: number; realm?: string }) {
  const shared = createRedisCounter({ url, realm })
  open.push(shared)
  await expect.poll(() => shared.add('up', 0).catch(() => undefined)).toBeDefined()
  let apart = 0
  const onApart = () => void apart++
  const clock = { at: 1_000_000, now: () => clock.at }
  const own = createMemoryCounter(clock)
  const counter = createInsuredCounter({ shared, own, clock, onApart, patienceMs })
  return { counter, clock, apart: () => apart }
}

test('nodes count together, deployments do not; points are given back; a window ends', async () => {
  const url = await freshRedis()
  // Whoever is slow to answer is not away.
  const patienceMs = 20_000
  const [one, two] = [await givenNode(url, { patienceMs }), await givenNode(url, { patienceMs })]
  const foreign = await givenNode(url, { patienceMs, realm: 'other' })
  expect(await one.counter.add('track of 1', 60)).toMatchObject({ used: 60 })
  const second = await two.counter.add('track of 1', 41)
  expect(second.used).toBe(101)
  // A minute, of which a machine that stands still may use up the most.
  expect(second.resetMs).toBeGreaterThan(1000)
  expect(second.resetMs).toBeLessThanOrEqual(60_000)
  expect(await two.counter.add('track of 1', -41)).toMatchObject({ used: 60 })
  expect(await foreign.counter.add('track of 1', 1)).toMatchObject({ used: 1 })
  expect([one.apart(), two.apart(), foreign.apart()]).toEqual([0, 0, 0])
})

test('a number of the database that Redis does not have is no reason to count in another', async () => {
  const url = await freshRedis()
  const shared = createRedisCounter({ url: `${url}/99`, realm: 'r' })
  open.push(shared)
  await expect.poll(() => shared.add('a', 1).catch(String)).toContain('DB index is out of range')
})

test('while Redis is gone a node counts by itself, at once, and together again when it is back', async () => {
  const redis = await startRedis()
  try {
    const { counter, clock, apart } = await givenNode(redis.url, { patienceMs: 2000 })
    expect(await counter.add('a', 5)).toMatchObject({ used: 5 })
    await redis.pause()
    expect(await counter.add('a', 1)).toMatchObject({ used: 1 })
    expect(await counter.add('a', 1)).toMatchObject({ used: 2 })
    expect(apart()).toBe(1)
    await redis.resume()
    // What it could not answer in time it may have counted all the same.
    const used = async () => {
      clock.at += 1000
      return (await counter.add('a', 0)).used
    }
    await expect.poll(used).toBeGreaterThanOrEqual(5)
    await redis.kill()
    expect(await counter.add('b', 3)).toMatchObject({ used: 3 })
  } finally {
    await redis.remove()
  }
})
