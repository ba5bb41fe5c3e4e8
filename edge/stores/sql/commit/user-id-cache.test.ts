// Tests that the cache of user numbers is bounded, and correct after a rollback.

import { expect, test } from 'vitest'
import { createUserIdCache } from './user-id-cache.ts'

test('a rollback drops the entries of the transaction, a commit keeps them', () => {
  const numbers = createUserIdCache()
  numbers.learn(1, 'a', 10)
  expect(numbers.get(1, 'a')).toBe(10)
  numbers.drop()
  expect(numbers.get(1, 'a')).toBeUndefined()
  numbers.learn(1, 'a', 11)
  numbers.keep()
  numbers.drop()
  expect(numbers.get(1, 'a')).toBe(11)
  expect(numbers.get(2, 'a')).toBeUndefined()
})

test('entries in use stay, unused entries are dropped', () => {
  const numbers = createUserIdCache(8)
  numbers.learn(1, 'used', 1)
  numbers.learn(1, 'unused', 2)
  numbers.keep()
  for (let index = 0; index < 40; index++) {
    numbers.learn(1, `u${index}`, index)
    numbers.keep()
    expect(numbers.get(1, 'used')).toBe(1)
  }
  expect(numbers.get(1, 'unused')).toBeUndefined()
})

test('a forgotten user is unknown in both generations', () => {
  const numbers = createUserIdCache(4)
  for (const userId of ['a', 'b', 'c']) numbers.learn(1, userId, 1)
  numbers.keep()
  for (const userId of ['a', 'b', 'c']) numbers.forget(1, userId)
  for (const userId of ['a', 'b', 'c']) expect(numbers.get(1, userId)).toBeUndefined()
})
