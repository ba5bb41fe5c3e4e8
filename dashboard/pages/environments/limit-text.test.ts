// Tests the texts of limits in both directions.

import { expect, test } from 'vitest'
import { limitText, parseLimit } from './limit-text.ts'

test.each([
  ['', undefined],
  ['off', null],
  ['1', 1],
  ['999999999', 999_999_999],
] as const)('"%s" is %s', (text, limit) => {
  expect(parseLimit(text, 'Calls')).toBe(limit)
  expect(limitText(limit)).toBe(text)
})

test.each(['0', '-1', '1.5', 'many', '1000000000'])('"%s" is refused with the name of the field', (text) => {
  expect(() => parseLimit(text, 'Calls')).toThrow('Calls: enter a whole number')
})
