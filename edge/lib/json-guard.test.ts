// Tests the guard of parsed bodies: faults with their path, `__proto__` dropped, no recursion.

import { expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { guardJson } from './json-guard.ts'

function parse(text: string): object {
  return JSON.parse(text) as object
}

test.each([
  ['a NUL', '{"a":{"b":["x","y\\u0000"]}}', 'a.b[1]', /NUL/],
  ['a lone high surrogate', '{"a":[{"b":"\\ud83d"}]}', 'a[0].b', /surrogate/],
  ['a lone low surrogate', '{"b":"\\udc00x"}', 'b', /surrogate/],
  ['a NUL in a key', '{"a":{"b\\u0000":1}}', 'a', /key/],
  ['a surrogate in a key', '{"a":{"\\ud800":1}}', 'a', /key/],
  ['a number beyond the range of a double', '{"a":{"b":1e400}}', 'a.b', /range/],
  ['a negative one, in a list', '{"a":[0,-1e400]}', 'a[1]', /range/],
])('%s is a fault with its path', (_what, text, path, message) => {
  expect(guardJson(parse(text))).toEqual({ path, message: expect.stringMatching(message) })
})

test('a pair of surrogates and text in any script pass', () => {
  expect(guardJson(parse('{"a":"😀 日本 \\ud83d\\ude00"}'))).toBeUndefined()
})

test('strings are measured in bytes', () => {
  expect(guardJson({ a: 'x'.repeat(LIMITS.stringBytes) })).toBeUndefined()
  expect(guardJson({ a: 'x'.repeat(LIMITS.stringBytes + 1) })?.path).toBe('a')
  expect(guardJson({ a: 'é'.repeat(LIMITS.stringBytes / 2) })).toBeUndefined()
  expect(guardJson({ a: 'é'.repeat(LIMITS.stringBytes / 2 + 1) })?.path).toBe('a')
})

test('32 levels pass and 33 do not, in objects and lists alike', () => {
  const nested = (levels: number) => parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels))
  const listed = (levels: number) => parse(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`)
  expect(guardJson(nested(32))).toBeUndefined()
  expect(guardJson(listed(32))).toBeUndefined()
  expect(guardJson(nested(33))?.message).toMatch(/deeper/)
  expect(guardJson(listed(33))?.message).toMatch(/deeper/)
})

test('a very deep value neither overflows the stack nor takes long', () => {
  const levels = 100_000
  expect(guardJson(parse(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`))?.message).toMatch(/deeper/)
})

test('`__proto__` is dropped at every level and reaches no prototype; other keys are kept', () => {
  const text = '{"a":[{"constructor":{"prototype":{"y":1}},"b":1}],"prototype":2}'
  const value = parse(text.replaceAll('{', '{"__proto__":{"x":1},'))
  expect(guardJson(value)).toBeUndefined()
  expect(JSON.stringify(value)).toBe(text)
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('the value of a dropped key is not checked', () => {
  expect(guardJson(parse('{"__proto__":"\\u0000"}'))).toBeUndefined()
})

test('a bigint is a fault, unless its place decides later', () => {
  const value = { a: [{ b: 9007199254740993n }], c: 1n }
  expect(guardJson(value)?.path).toBe('c')
  expect(guardJson({ a: value.a })?.path).toBe('a[0].b')
  expect(guardJson(value, { keepsLargeIntegers: true })).toBeUndefined()
})
