// Tests that two nodes count together in one Redis, and each by itself while Redis is unreachable.

import { afterEach, expect, test } from 'vitest'
import { createFallbackCounter } from '../http/limits/fallback-counter.ts'
import { createMemoryCounter } from '../http/limits/memory-counter.ts'
import { freshRedis, startRedis } from '../test/support/servers.ts'
import { createRedisCounter, type RedisCounter } from './redis-counter.ts'

const open: RedisCounter[] = []
afterEach(() => {
  for (const counter of open.splice(0)) counter.close()
})

/** As the app wires it; resolves when Redis answers. */
async function givenNode(url: string, { timeoutMs, realm = 'r' }: { timeoutMs: number; realm?: string }) {
  const shared = createRedisCounter({ url, realm })
  open.push(shared)
  await expect.poll(() => shared.add('up', 0).catch(() => undefined)).toBeDefined()
  let fallbacks = 0
  const onFallback = () => void fallbacks++
  const clock = { at: 1_000_000, now: () => clock.at }
  const local = createMemoryCounter(clock)
  const counter = createFallbackCounter({ shared, local, clock, onFallback, timeoutMs })
  return { counter, clock, fallbacks: () => fallbacks }
}

test('nodes count together, deployments do not; points are given back; a window ends', async () => {
  const url = await freshRedis()
  // A slow Redis does not count as unreachable.
  const timeoutMs = 20_000
  const [one, two] = [await givenNode(url, { timeoutMs }), await givenNode(url, { timeoutMs })]
  const foreign = await givenNode(url, { timeoutMs, realm: 'other' })
  expect(await one.counter.add('track of 1', 60)).toMatchObject({ used: 60 })
  const second = await two.counter.add('track of 1', 41)
  expect(second.used).toBe(101)
  // The window of a minute leaves room for pauses of a loaded machine.
  expect(second.resetMs).toBeGreaterThan(1000)
  expect(second.resetMs).toBeLessThanOrEqual(60_000)
  expect(await two.counter.add('track of 1', -41)).toMatchObject({ used: 60 })
  const day = 24 * 60 * 60 * 1000
  expect((await one.counter.add('invite a day', 1, day)).resetMs).toBeGreaterThan(day - 60_000)
  expect(await two.counter.add('invite a day', 1, day)).toMatchObject({ used: 2 })
  expect(await foreign.counter.add('track of 1', 1)).toMatchObject({ used: 1 })
  expect([one.fallbacks(), two.fallbacks(), foreign.fallbacks()]).toEqual([0, 0, 0])
})

test('a database number that Redis does not have is refused, and no other database counts', async () => {
  const url = await freshRedis()
  const shared = createRedisCounter({ url: `${url}/99`, realm: 'r' })
  open.push(shared)
  await expect.poll(() => shared.add('a', 1).catch(String)).toContain('DB index is out of range')
})

test('while Redis is unreachable a node counts by itself, at once, and together again afterwards', async () => {
  const redis = await startRedis()
  try {
    const { counter, clock, fallbacks } = await givenNode(redis.url, { timeoutMs: 2000 })
    expect(await counter.add('a', 5)).toMatchObject({ used: 5 })
    await redis.pause()
    expect(await counter.add('a', 1)).toMatchObject({ used: 1 })
    expect(await counter.add('a', 1)).toMatchObject({ used: 2 })
    expect(fallbacks()).toBe(1)
    await redis.resume()
    // Redis may have counted a call whose answer came too late.
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
