// Tests differences of JSON values, in lines.

import { expect, test } from 'vitest'
import { differenceOf, isSameJson } from './difference.ts'

test('each difference has one line with its path, and equal values have none', () => {
  expect(differenceOf({ a: [1, { b: 'x' }], c: null }, { a: [1, { b: 'y' }, 2], d: {} })).toEqual([
    '~ a[1].b: "x" → "y"',
    '- c: null',
    '+ a[2]: 2',
    '+ d: {}',
  ])
  expect(differenceOf({ a: [{}] }, { a: [{}] })).toEqual([])
})

test('the same JSON in another order is the same; a key with a dot is no object, and a list no object of places', () => {
  expect(isSameJson({ a: 1, b: undefined, c: [{}] }, { c: [{}], a: 1 })).toBe(true)
  expect(isSameJson({ 'a.b': 1 }, { a: { b: 1 } })).toBe(false)
  expect(isSameJson([1], { 0: 1 })).toBe(false)
  expect(isSameJson(undefined, null)).toBe(true)
})
