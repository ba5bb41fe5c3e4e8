// Tests that typed values of properties keep their kinds.

import { expect, test } from 'vitest'
import { textOfValue, valueOfText } from './property-values.ts'

test.each([
  ['74', undefined, 74],
  ['74', '73', '74'],
  ['74', 73, 74],
  ['7 4', 73, '7 4'],
  ['007', undefined, '007'],
  ['true', undefined, true],
  ['', 5, ''],
  ['[1, 2]', [1], [1, 2]],
  ['{"a": 1', { a: 1 }, '{"a": 1'],
  ['Zoë', undefined, 'Zoë'],
])('%j in place of %j is %j', (text, former, value) => {
  expect(valueOfText(text, former)).toEqual(value)
})

test('values are shown as texts that are read as the same again', () => {
  for (const value of ['a', 7, true, null, [1, 'b'], { c: [] }]) {
    expect(valueOfText(textOfValue(value), value)).toEqual(value)
  }
})
