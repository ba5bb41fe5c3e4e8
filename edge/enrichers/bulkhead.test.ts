// Tests slots and queues: a slow endpoint fills its own, and calls of other endpoints pass.

import { expect, test } from 'vitest'
import { BULKHEAD_LIMITS, createBulkhead } from './bulkhead.ts'

const limits = { ...BULKHEAD_LIMITS, perEndpoint: 2, perEnvironment: 3, inAll: 4, waitingPerEndpoint: 1 }
const at = (endpoint: string, environmentId = 1) => ({ endpoint, environmentId })

test('an endpoint has its slots, then its queue, then refuses', async () => {
  const bulkhead = createBulkhead(limits)
  const first = await bulkhead.acquire(at('a'))
  expect(await bulkhead.acquire(at('a'))).toBeTypeOf('function')
  const waiting = bulkhead.acquire(at('a'))
  expect(await bulkhead.acquire(at('a'))).toBeNull()
  expect(bulkhead.size()).toEqual({ underWay: 2, waiting: 1 })
  first?.()
  expect(await waiting).toBeTypeOf('function')
  expect(bulkhead.size()).toEqual({ underWay: 2, waiting: 0 })
})

test('slots are limited per environment, and for all environments together', async () => {
  const bulkhead = createBulkhead(limits)
  for (const endpoint of ['a', 'b', 'c']) expect(await bulkhead.acquire(at(endpoint))).toBeTypeOf('function')
  const same = bulkhead.acquire(at('d'))
  const other = await bulkhead.acquire(at('e', 2))
  expect(other).toBeTypeOf('function')
  const beyond = bulkhead.acquire(at('f', 3))
  expect(bulkhead.size()).toEqual({ underWay: 4, waiting: 2 })
  // The first waiter has no slot in its environment yet: the next one passes.
  other?.()
  expect(await beyond).toBeTypeOf('function')
  expect(bulkhead.size()).toEqual({ underWay: 4, waiting: 1 })
  bulkhead.clear()
  expect(await same).toBeNull()
})

test('a call that waits too long is refused, and a slot is released once', async () => {
  const bulkhead = createBulkhead({ ...limits, perEndpoint: 1, waitMs: 20 })
  const release = await bulkhead.acquire(at('a'))
  expect(await bulkhead.acquire(at('a'))).toBeNull()
  release?.()
  release?.()
  expect(bulkhead.size()).toEqual({ underWay: 0, waiting: 0 })
})
