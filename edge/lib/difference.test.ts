// Tests differences of JSON values, in lines.

import { expect, test } from 'vitest'
import { differenceOf } from './difference.ts'

test('each difference has one line with its path, and equal values have none', () => {
  expect(differenceOf({ a: [1, { b: 'x' }], c: null }, { a: [1, { b: 'y' }, 2], d: {} })).toEqual([
    '~ a[1].b: "x" → "y"',
    '- c: null',
    '+ a[2]: 2',
    '+ d: {}',
  ])
  expect(differenceOf({ a: [{}] }, { a: [{}] })).toEqual([])
})
