// Tests limits that all nodes share while Redis is reachable but refuses to count.

import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { systemClock } from '../lib/clock.ts'
import { createLog } from '../lib/log.ts'
import { freshRedis } from '../test/support/servers.ts'
import { wireCounting } from './wire-limits.ts'

test('a Redis that refuses to count is logged once, and each call is counted locally', async () => {
  const url = await freshRedis()
  const owner = new Redis(url)
  await owner.call('ACL', 'SETUSER', 'mute', 'on', '>word', '&*', '+@all')
  owner.disconnect()
  const address = Object.assign(new URL(url), { username: 'mute', password: 'word' })
  const lines: string[] = []
  const clock = { at: systemClock.now(), now: () => clock.at }
  const log = createLog('warn', (line) => lines.push(line))
  const settings = { redisUrl: address.href }
  const { counter, close } = wireCounting({ settings, stores: { epoch: 'e' }, clock, log, countTimeoutMs: 20_000 })
  const used = async () => {
    clock.at += 1001
    return (await counter.add('k', 1)).used
  }
  const before = async () => {
    const count = await used()
    return lines.length > 0 ? count : undefined
  }
  await expect.poll(before).toBeDefined()
  const count = await used()
  expect(await used()).toBe(count + 1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/NOPERM.*Redis refuses to count calls/)
  close()
})
