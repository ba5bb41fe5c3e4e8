// Tests the count of users who are online, from the reports of several nodes.

import { expect, test } from 'vitest'
import { createMemoryBus } from '../../bus/memory.ts'
import { createCountOnline } from './count-online.ts'

test('the reports of all nodes are added, each by its newest, and by environment', () => {
  const bus = createMemoryBus()
  const countOnline = createCountOnline({ bus })
  expect(countOnline(1)).toBe(0)
  bus.publish('users-online', {
    nodeId: 'a',
    users: [
      [1, 2],
      [2, 7],
    ],
  })
  bus.publish('users-online', { nodeId: 'b', users: [[1, 3]] })
  expect([countOnline(1), countOnline(2), countOnline(3)]).toEqual([5, 7, 0])
  bus.publish('users-online', { nodeId: 'a', users: [] })
  expect([countOnline(1), countOnline(2)]).toEqual([3, 0])
})

test('a node that is silent counts no more', () => {
  const bus = createMemoryBus()
  let now = 0
  const countOnline = createCountOnline({ bus }, () => now)
  bus.publish('users-online', { nodeId: 'a', users: [[1, 2]] })
  now = 15_000
  bus.publish('users-online', { nodeId: 'b', users: [[1, 1]] })
  expect(countOnline(1)).toBe(3)
  now = 15_001
  expect(countOnline(1)).toBe(1)
})
