// Tests that the writer cache keeps entries after a commit, drops them after a rollback, and backs off.

import { expect, test } from 'vitest'
import { createWriterCache } from './writer-cache.ts'

const head = (userNo: number, seq = 1) => ({ environmentId: 1, userNo, seq, unread: 1, unopened: 1, floor: 0 })

test('entries of a transaction are used after its commit, and dropped after a rollback', () => {
  const cache = createWriterCache()
  cache.learnHeads([head(1)])
  expect(cache.headsOf([1])).toBeUndefined()
  cache.drop()
  cache.keep()
  expect(cache.headsOf([1])).toBeUndefined()
  cache.learnHeads([head(1)])
  cache.learnSecrets([{ id: 7, retiresAt: null, lastUsedAt: 5 }])
  cache.keep()
  expect(cache.headsOf([1])).toEqual([{ ...head(1), rowState: 'same' }])
  expect(cache.findSecret(7)).toMatchObject({ lastUsedAt: 5 })
})

test('with one unknown head no heads are returned', () => {
  const cache = createWriterCache()
  cache.learnHeads([head(1), head(2)])
  cache.keep()
  expect(cache.headsOf([1, 2])).toHaveLength(2)
  expect(cache.headsOf([1, 3])).toBeUndefined()
})

test('returned heads are copies: a failed batch does not change the cache', () => {
  const cache = createWriterCache()
  cache.learnHeads([head(1)])
  cache.keep()
  for (const copy of cache.headsOf([1]) ?? []) copy.seq = 99
  expect(cache.headsOf([1])).toMatchObject([{ seq: 1 }])
})

test('memory is bounded, and the newest stays', () => {
  const cache = createWriterCache(4)
  for (let userNo = 1; userNo <= 9; userNo++) {
    cache.learnHeads([head(userNo)])
    cache.keep()
  }
  expect(cache.headsOf([9])).toBeDefined()
  expect(cache.headsOf([1])).toBeUndefined()
})

test('after a stale entry it is not used for some batches, and for more after the next', () => {
  const cache = createWriterCache()
  cache.learnHeads([head(1)])
  cache.keep()
  const batchesWithout = () => {
    let count = 0
    for (; cache.headsOf([1]) === undefined; count++) cache.keep()
    return count
  }
  cache.backOff()
  expect(batchesWithout()).toBe(8)
  cache.backOff()
  expect(batchesWithout()).toBe(16)
  // Each successful batch shortens the next pause.
  for (let batch = 0; batch < 16; batch++) {
    expect(cache.headsOf([1])).toBeDefined()
    cache.keep()
  }
  cache.backOff()
  expect(batchesWithout()).toBe(8)
})
