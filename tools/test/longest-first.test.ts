// Tests that long files start first and that every listed file exists.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { comparePlaces, LONGEST } from './longest-first.ts'

const [longest = '', second = ''] = LONGEST

test('processes of their own first, then what is known to be long, then by size', () => {
  const places = [
    { path: 'small.test.ts', isApart: false, bytes: 1 },
    { path: second, isApart: false, bytes: 2 },
    { path: 'large.test.ts', isApart: false, bytes: 3 },
    { path: 'apart.test.ts', isApart: true, bytes: 1 },
    { path: longest, isApart: false, bytes: 1 },
  ]
  const order = ['apart.test.ts', longest, second, 'large.test.ts', 'small.test.ts']
  expect(places.sort(comparePlaces).map(({ path }) => path)).toEqual(order)
  expect(
    places
      .reverse()
      .sort(comparePlaces)
      .map(({ path }) => path),
  ).toEqual(order)
})

test('each of the list is there, once', () => {
  const root = resolve(import.meta.dirname, '../..')
  expect(LONGEST.filter((path) => !existsSync(resolve(root, path)))).toEqual([])
  expect(new Set(LONGEST).size).toBe(LONGEST.length)
})
