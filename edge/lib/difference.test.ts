// Differences of JSON values, in lines.

import { expect, test } from 'vitest'
import { differenceOf } from './difference.ts'

test('a difference names each place once, and equal values have none', () => {
  expect(differenceOf({ a: [1, { b: 'x' }], c: null }, { a: [1, { b: 'y' }, 2], d: {} })).toEqual([
    '~ a[1].b: "x" → "y"',
    '- c: null',
    '+ a[2]: 2',
    '+ d: {}',
  ])
  expect(differenceOf({ a: [{}] }, { a: [{}] })).toEqual([])
})
