// Tests the messages of the properties editor.

import { expect, test } from 'vitest'
import { parseObject } from './properties.ts'

test('an object is read, and nothing is an empty one', () => {
  expect(parseObject('{"a": 1}')).toEqual({ a: 1 })
  expect(parseObject('  ')).toEqual({})
})

test.each(['[1]', '"text"', 'null', '7'])('%s is no object', (text) => {
  expect(parseObject(text)).toMatch(/JSON object/)
})

test('a fault has its line and column', () => {
  expect(parseObject('{\n  "a": 1,,\n}')).toMatch(/^Line 2, column 10: /)
})
