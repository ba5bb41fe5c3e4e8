// Tests that entries expire by the clock, and that their number is limited.

import { expect, test } from 'vitest'
import { createCache } from './cache.ts'

const START = Date.UTC(2026, 5, 1)

function givenCache(maxSize = 2) {
  const clock = { at: START, now: () => clock.at }
  return { clock, cache: createCache<string, number>({ clock, maxSize, ttlMs: 100 }) }
}

test('an entry ends at its time, not before', () => {
  const { clock, cache } = givenCache()
  cache.set('a', 1)
  cache.set('b', 2, START + 50)
  clock.at += 49
  expect([cache.get('a'), cache.get('b')]).toEqual([1, 2])
  clock.at += 1
  expect([cache.get('a'), cache.get('b')]).toEqual([1, undefined])
  clock.at += 50
  expect(cache.get('a')).toBeUndefined()
  expect(cache.size).toBe(0)
})

test('an entry that has expired already is not kept, and removes the former one', () => {
  const { cache } = givenCache()
  cache.set('a', 1)
  cache.set('a', 2, START)
  expect([cache.get('a'), cache.size]).toEqual([undefined, 0])
})

test('setting a key again restarts its lifetime, reading does not', () => {
  const { clock, cache } = givenCache()
  cache.set('a', 1)
  cache.set('b', 1)
  clock.at += 60
  cache.set('a', 2)
  cache.get('b')
  clock.at += 60
  expect([cache.get('a'), cache.get('b')]).toEqual([2, undefined])
})

test('a clock that is set back ends nothing early', () => {
  const { clock, cache } = givenCache()
  cache.set('a', 1)
  clock.at -= 1_000_000
  expect(cache.get('a')).toBe(1)
  cache.set('b', 2)
  clock.at += 100
  expect([cache.get('a'), cache.get('b')]).toEqual([1, undefined])
})

test('without a lifetime an entry stays', () => {
  const clock = { at: START, now: () => clock.at }
  const cache = createCache<string, number>({ maxSize: 2, clock })
  cache.set('a', 1)
  clock.at += 1_000_000_000
  expect(cache.get('a')).toBe(1)
})

test('beyond the limit the least recently used entry is dropped', () => {
  const { cache } = givenCache()
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 3)
  cache.set('c', 4)
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([3, undefined, 4, 2])
  cache.get('a')
  cache.set('d', 5)
  expect([cache.get('a'), cache.get('c'), cache.get('d')]).toEqual([3, undefined, 5])
})

test('sizes count where they are given, and an entry larger than the cache is not kept', () => {
  const cache = createCache<string, string>({ maxSize: 10, sizeOf: (value, key) => key.length + value.length })
  cache.set('a', '1234')
  cache.set('b', '1234')
  cache.set('c', '1')
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, '1234', '1'])
  cache.set('d', '1234567890')
  expect([...cache.keys()]).toEqual(['c', 'b'])
})

test('deleted and cleared entries are absent', () => {
  const { cache } = givenCache(3)
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.delete('a')
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 1])
  cache.clear()
  expect([cache.get('b'), cache.size]).toEqual([undefined, 0])
})

test('memory is limited: of 100,000 entries the newest remain', () => {
  const cache = createCache<number, number>({ maxSize: 1000 })
  for (let key = 0; key < 100_000; key++) cache.set(key, key)
  expect([cache.size, cache.get(99_000), cache.get(98_999)]).toEqual([1000, 99_000, undefined])
})
