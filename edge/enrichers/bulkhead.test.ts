// Places and queues: a slow endpoint fills its own, and whoever waits for another passes by.

import { expect, test } from 'vitest'
import { BULKHEAD_LIMITS, createBulkhead } from './bulkhead.ts'

const limits = { ...BULKHEAD_LIMITS, perEndpoint: 2, perEnvironment: 3, inAll: 4, waitingPerEndpoint: 1 }
const at = (endpoint: string, environmentId = 1) => ({ endpoint, environmentId })

test('an endpoint has its places, then its queue, then none', async () => {
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

test('an environment has its places, another has its own, and all together have theirs', async () => {
  const bulkhead = createBulkhead(limits)
  for (const endpoint of ['a', 'b', 'c']) expect(await bulkhead.acquire(at(endpoint))).toBeTypeOf('function')
  const same = bulkhead.acquire(at('d'))
  const other = await bulkhead.acquire(at('e', 2))
  expect(other).toBeTypeOf('function')
  const beyond = bulkhead.acquire(at('f', 3))
  expect(bulkhead.size()).toEqual({ underWay: 4, waiting: 2 })
  // Who came first still has no room in its environment: the next one passes.
  other?.()
  expect(await beyond).toBeTypeOf('function')
  expect(bulkhead.size()).toEqual({ underWay: 4, waiting: 1 })
  bulkhead.clear()
  expect(await same).toBeNull()
})

test('who waits too long is turned away, and a place is given back once', async () => {
  const bulkhead = createBulkhead({ ...limits, perEndpoint: 1, waitMs: 20 })
  const leave = await bulkhead.acquire(at('a'))
  expect(await bulkhead.acquire(at('a'))).toBeNull()
  leave?.()
  leave?.()
  expect(bulkhead.size()).toEqual({ underWay: 0, waiting: 0 })
})
