// What is learned, kept, dropped and distrusted.

import { expect, test } from 'vitest'
import { createRemembered } from './remembered.ts'

const head = (userNo: number, seq = 1) => ({ userNo, seq, unread: 1, unopened: 1, floor: 0 })

test('what a transaction learned is known behind its commit, and not when it was rolled back', () => {
  const remembered = createRemembered()
  remembered.learnHeads([head(1)])
  expect(remembered.headsOf([1])).toBeUndefined()
  remembered.drop()
  remembered.keep()
  expect(remembered.headsOf([1])).toBeUndefined()
  remembered.learnHeads([head(1)])
  remembered.learnSecrets([{ id: 7, retiresAt: null, lastUsedAt: 5 }])
  remembered.keep()
  expect(remembered.headsOf([1])).toEqual([{ ...head(1), standing: 'same' }])
  expect(remembered.findSecret(7)).toMatchObject({ lastUsedAt: 5 })
})

test('one unknown head is as good as none', () => {
  const remembered = createRemembered()
  remembered.learnHeads([head(1), head(2)])
  remembered.keep()
  expect(remembered.headsOf([1, 2])).toHaveLength(2)
  expect(remembered.headsOf([1, 3])).toBeUndefined()
})

test('what is told is a copy: a batch that fails changes nothing of it', () => {
  const remembered = createRemembered()
  remembered.learnHeads([head(1)])
  remembered.keep()
  for (const told of remembered.headsOf([1]) ?? []) told.seq = 99
  expect(remembered.headsOf([1])).toMatchObject([{ seq: 1 }])
})

test('memory is bounded, and the newest stays', () => {
  const remembered = createRemembered(4)
  for (let userNo = 1; userNo <= 9; userNo++) {
    remembered.learnHeads([head(userNo)])
    remembered.keep()
  }
  expect(remembered.headsOf([9])).toBeDefined()
  expect(remembered.headsOf([1])).toBeUndefined()
})

test('after a mistake it is left alone for some batches, and for more after the next', () => {
  const remembered = createRemembered()
  remembered.learnHeads([head(1)])
  remembered.keep()
  const batchesWithout = () => {
    let count = 0
    for (; remembered.headsOf([1]) === undefined; count++) remembered.keep()
    return count
  }
  remembered.distrust()
  expect(batchesWithout()).toBe(8)
  remembered.distrust()
  expect(batchesWithout()).toBe(16)
  // Batches that it was right for make up for the mistakes.
  for (let batch = 0; batch < 16; batch++) {
    expect(remembered.headsOf([1])).toBeDefined()
    remembered.keep()
  }
  remembered.distrust()
  expect(batchesWithout()).toBe(8)
})
