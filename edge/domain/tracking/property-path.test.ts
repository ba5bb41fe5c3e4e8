// Tests paths of properties: how they are written, which keys are values, and which written paths are known.

import { describe, expect, test } from 'vitest'
import { isKnownPath, isValueKey, pathOfItems, pathOfKey, pathOfKeys } from './property-path.ts'

test('a key that is no name is quoted, so that no two paths read alike', () => {
  expect(pathOfKey('', 'total')).toBe('total')
  expect(pathOfKey(pathOfItems(pathOfKey('order', 'items')), 'sku')).toBe('order.items[].sku')
  expect(pathOfKey('order', 'odd key')).toBe('order["odd key"]')
  expect(pathOfKey('order', 'a.b')).not.toBe(pathOfKey(pathOfKey('order', 'a'), 'b'))
  expect(pathOfKey('', '*')).toBe('["*"]')
  expect(pathOfKeys(['items', '0', 'sku'])).toBe('items[0].sku')
})

test.each([
  ['ada@example.com', true],
  ['2f1c7a52-88c1-4e9b-9d7e-4f0c5f2c1d11', true],
  ['k'.repeat(65), true],
  ['address1', false],
  ['utm_2026', false],
  ['größe', false],
])('whether the key %s is a value: %s', (key, expected) => {
  expect(isValueKey(key)).toBe(expected)
})

describe('a written path is known', () => {
  const known = new Set(['items', 'items[]', 'items[].sku', 'balances', 'balances.*', 'balances.*.sum', '["odd key"]'])
  test.each([
    ['items', true],
    ['items.0.sku', true],
    ['items.first.sku', true],
    ['items.size', true],
    ['items.0.skew', false],
    ['items.sku', false],
    ['balances.u_42.sum', true],
    ['balances.u_42.total', false],
    ['odd key', true],
    ['size', false],
    ['', true],
  ])('%s: %s', (path, expected) => {
    expect(isKnownPath(known, path === '' ? [] : path.split('.'))).toBe(expected)
  })
})
