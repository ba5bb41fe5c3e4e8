// Runs the suite of all buses on two buses with one Redis.

import { beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '../lib/log.ts'
import { freshRedis } from '../test/support/servers.ts'
import { type BusUnderTest, testBus } from './bus.suite.ts'
import { createRedisBus } from './redis.ts'

let url: string
let realms = 0
beforeAll(async () => {
  url = await freshRedis()
})

const isUp = (check: () => boolean) => vi.waitFor(() => expect(check()).toBe(true), { timeout: 60_000, interval: 5 })

testBus(async () => {
  const errors: BusUnderTest['errors'] = []
  realms++
  const open = (nodeId: string) =>
    createRedisBus({
      url,
      nodeId,
      realm: `suite-${realms}`,
      log: createLog('silent'),
      onListenerError: (error, topic) => errors.push({ error, topic }),
    })
  const [bus, other] = [open('a'), open('b')]
  await isUp(() => bus.isUp() && other.isUp())
  return { bus, other, errors }
})

test('two deployments on one Redis get no signal of each other', async () => {
  const open = (nodeId: string, realm: string) => createRedisBus({ url, nodeId, realm, log: createLog('silent') })
  const [bus, same, foreign] = [open('a', 'one'), open('b', 'one'), open('c', 'two')]
  await isUp(() => bus.isUp() && same.isUp() && foreign.isUp())
  let received = 0
  let receivedElsewhere = 0
  same.subscribe('environment-changed', () => void received++)
  foreign.subscribe('environment-changed', () => void receivedElsewhere++)
  bus.publish('environment-changed', { environmentId: 1 })
  await expect.poll(() => received).toBe(1)
  foreign.publish('environment-changed', { environmentId: 1 })
  bus.publish('environment-changed', { environmentId: 1 })
  await expect.poll(() => received).toBe(2)
  expect(receivedElsewhere).toBe(1)
  await Promise.all([bus.close(), same.close(), foreign.close()])
})

test('a copy of a deployment with another database number gets none of its signals', async () => {
  const open = (nodeId: string, number: string) =>
    createRedisBus({ url: `${url}${number}`, nodeId, realm: 'copied', log: createLog('silent') })
  const [bus, same, copy] = [open('a', '/7'), open('b', '/7'), open('c', '')]
  await isUp(() => bus.isUp() && same.isUp() && copy.isUp())
  const received: string[] = []
  same.subscribe('environment-changed', () => void received.push('same'))
  copy.subscribe('environment-changed', () => void received.push('copy'))
  bus.publish('environment-changed', { environmentId: 1 })
  copy.publish('environment-changed', { environmentId: 1 })
  bus.publish('environment-changed', { environmentId: 1 })
  await expect.poll(() => received.filter((who) => who === 'same').length).toBe(2)
  expect(received.filter((who) => who === 'copy')).toHaveLength(1)
  await Promise.all([bus.close(), same.close(), copy.close()])
})

test('a database number that Redis does not have counts as an unreachable Redis, and is logged', async () => {
  const lines: string[] = []
  const log = createLog('debug', (line) => void lines.push(line))
  const bus = createRedisBus({ url: `${url}/99`, nodeId: 'a', realm: 'x', log })
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 60_000, interval: 5 })
  expect(bus.isUp()).toBe(false)
  await bus.close()
  expect(lines.join()).toContain('DB index is out of range')
})

test('a wrong password counts as an unreachable Redis: logged once, without the password', async () => {
  const lines: string[] = []
  const address = new URL(url)
  address.password = 'wrong-and-secret'
  const log = createLog('debug', (line) => void lines.push(line))
  const bus = createRedisBus({ url: address.href, nodeId: 'a', realm: 'x', log })
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 60_000, interval: 5 })
  bus.publish('environment-changed', { environmentId: 1 })
  await bus.follow(1)
  expect(bus.isUp()).toBe(false)
  await bus.close()
  expect(lines.join()).toContain('redis unreachable')
  expect(lines.join()).toContain('WRONGPASS')
  expect(lines.join()).not.toMatch(/wrong-and-secret/)
})
