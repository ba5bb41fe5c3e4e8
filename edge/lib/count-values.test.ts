// Tests the count of values in a JSON text, and that deliveries with too many are not parsed.

import { expect, test } from 'vitest'
import { LARGE_BODIES } from '../../contract/limits.ts'
import { findTooMany } from './count-values.ts'
import { parseBody } from './webhook-body.ts'

/** The first number of values that is not too small. */
function countOf(json: string): number {
  let most = 1
  while (findTooMany(json, most) !== undefined) most++
  return most
}

test.each([
  ['1', 1],
  ['[1,2]', 3],
  ['{"a":1,"b":[2,{"c":3}]}', 6],
  ['{"a,[{":"b\\",[{","c":"\\\\"}', 3],
  ['"\\', 1],
])('%s has %d values', (json, values) => {
  expect(countOf(json)).toBe(values)
})

test('an empty object or list counts twice at most', () => {
  expect(countOf('[{},[]]')).toBe(5)
})

test('what nests too deep is told from what has many values', () => {
  expect(findTooMany(`{"a":${'['.repeat(100)}`, 90)).toBe('levels')
  expect(findTooMany(`{"a":[${'[],'.repeat(100)}`, 90)).toBe('values')
})

test('a delivery of many values is refused before it is parsed, a long one of few is not', () => {
  const rows = (count: number) => `[${Array(count).fill('{}').join()}]`
  expect(() => parseBody(`${rows(LARGE_BODIES.deliveryValues)}]`)).toThrow(
    expect.objectContaining({ code: 'request/payload-too-large' }),
  )
  expect(parseBody(JSON.stringify(['[{,'.repeat(200_000)]))).toHaveLength(1)
})
