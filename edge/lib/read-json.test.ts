// Tests the reader of foreign JSON: the digits of large integers, where they stand, byte order marks, hostile texts.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepDigits, parseExactJson, parseJson, writeExactJson } from './read-json.ts'

test.each([
  ['an integer above 2^53', '{"n":12345678901234567890}', { n: '12345678901234567890' }],
  ['the first unsafe one', '{"n":9007199254740992}', { n: '9007199254740992' }],
  ['the last safe one', '{"n":9007199254740991}', { n: 9007199254740991 }],
  ['a negative one', '[-9007199254740993 , -9007199254740991]', ['-9007199254740993', -9007199254740991]],
  ['at the top', ' 9007199254740993 ', '9007199254740993'],
  ['in depth', '{"a":[{"b":[\n9007199254740993]}]}', { a: [{ b: ['9007199254740993'] }] }],
  ['decimals', '[1.00000000000000000001,0.1234567890123456789]', [1, 0.12345678901234568]],
  [
    'a fraction of zeros',
    '[9007199254740993.0,-12345678901234567890.00]',
    ['9007199254740993', '-12345678901234567890'],
  ],
  ['a double written with a fraction', '[9007199254740992.0,100000000000000000.0]', [9007199254740992, 1e17]],
  ['a number with an exponent', '[1e20,12345678901234567e3]', [1e20, 1.2345678901234567e19]],
  ['digits in a string', '{"9007199254740993":": 9007199254740993"}', { '9007199254740993': ': 9007199254740993' }],
  [
    'quotes in a string',
    '["\\\\\\": 9007199254740993",9007199254740993]',
    ['\\": 9007199254740993', '9007199254740993'],
  ],
  ['a byte order mark', '\ufeff{"n":9007199254740993}', { n: '9007199254740993' }],
  ['beyond a double', `{"n":${'9'.repeat(400)}}`, { n: Number.POSITIVE_INFINITY }],
])('%s', (_what, text, value) => {
  expect(parseJson(text)).toEqual(value)
})

test('a large integer is a bigint where its place decides', () => {
  const text = '{"userId":9007199254740993,"properties":{"a":[-9007199254740993,1]}}'
  const value = parseExactJson(text) as { userId: unknown; properties: object }
  expect(value).toEqual({ userId: 9007199254740993n, properties: { a: [-9007199254740993n, 1] } })
  expect(writeExactJson(value)).toBe(text.replaceAll(/-?90\d+/g, '"$&"'))
  keepDigits(value, value.properties)
  expect(value).toEqual({ userId: 9007199254740993n, properties: { a: ['-9007199254740993', 1] } })
})

test('any value is parsed as JSON.parse does, and large integers by their digits', () => {
  const numbers = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(numbers), fc.string(), (value, large, key) => {
      const text = `{${JSON.stringify(`${key}.`)}:${JSON.stringify(value)},"large":[${large}]}`
      const read = parseJson(text) as Record<string, unknown>
      expect(read.large).toEqual(large.map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : `${n}`)))
      const exact = parseExactJson(text)
      keepDigits(exact)
      expect(exact).toEqual(read)
    }),
  )
})

test('deep nesting overflows no stack', () => {
  const levels = 100_000
  const text = `${'['.repeat(levels)}9007199254740993${']'.repeat(levels)}`
  let value = parseExactJson(text)
  for (let level = 0; level < levels; level++) value = (value as unknown[])[0]
  expect(value).toBe(9007199254740993n)
})

test.each([
  '',
  '{',
  '{"n":9007199254740993',
  '"9007199254740993',
  '[9007199254740993}',
  '\ufeff\ufeff{}',
  '[09007199254740993]',
])('no JSON: %j', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
  expect(() => parseExactJson(text)).toThrow(SyntaxError)
})
