// Entries end by the clock and by number.

import { expect, test } from 'vitest'
import { createTtlMap } from './ttl-map.ts'

function givenMap(maxEntries = 2) {
  const clock = { at: 0, now: () => clock.at }
  return { clock, map: createTtlMap<string, number>({ clock, maxEntries, ttlMs: 100 }) }
}

test('an entry ends at its time, not before', () => {
  const { clock, map } = givenMap()
  map.set('a', 1)
  map.set('b', 2, 50)
  clock.at = 49
  expect([map.get('a'), map.get('b')]).toEqual([1, 2])
  clock.at = 50
  expect([map.get('a'), map.get('b')]).toEqual([1, undefined])
  clock.at = 100
  expect(map.get('a')).toBeUndefined()
  expect(map.size).toBe(0)
})

test('beyond its bound the oldest goes, and setting anew makes young', () => {
  const { map } = givenMap()
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([3, undefined, 4, 2])
})

test('a deleted and a cleared entry are gone', () => {
  const { map } = givenMap(3)
  for (const key of ['a', 'b', 'c']) map.set(key, 1)
  map.delete('a')
  expect([map.get('a'), map.get('b')]).toEqual([undefined, 1])
  map.clear()
  expect([map.get('b'), map.size]).toEqual([undefined, 0])
})
