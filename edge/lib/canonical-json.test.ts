// Tests the comparison of JSON by value.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, hashByValue } from './canonical-json.ts'

/** The same value with the members of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  const turned: Record<string, unknown> = Object.create(null)
  for (const [key, member] of Object.entries(value).reverse()) turned[key] = reversed(member)
  return turned
}

test('the order of keys does not matter', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => canonicalJson(value) === canonicalJson(reversed(value))))
})

test('the text parses to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('two texts are equal exactly when the values are', () => {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (one, other) => {
      expect(canonicalJson(one) === canonicalJson(other)).toBe(isDeepStrictEqual(plain(one), plain(other)))
    }),
  )
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }))
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
  expect(canonicalJson({ a: null })).not.toBe(canonicalJson({}))
})

test('numbers compare by value: -0 is 0, 1.0 is 1, 1e2 is 100', () => {
  expect(canonicalJson(JSON.parse('[-0, 1.0, 1e2]'))).toBe('[0,1,100]')
})

test('a member that is undefined counts as absent', () => {
  expect(hashByValue({ name: 'a', user: undefined })).toBe(hashByValue({ name: 'a' }))
})
