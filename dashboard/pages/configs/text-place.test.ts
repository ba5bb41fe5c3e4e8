// Tests the line and the column of positions in a text.

import { expect, test } from 'vitest'
import { placeOf } from './text-place.ts'

test.each([
  ['', 0, { line: 1, column: 1 }],
  ['ab', 1, { line: 1, column: 2 }],
  ['a\nbc', 2, { line: 2, column: 1 }],
  ['a\nbc', 3, { line: 2, column: 2 }],
  ['a\r\n\r\nb', 5, { line: 3, column: 1 }],
  ['a\n', 99, { line: 2, column: 1 }],
])('%j at %i', (text, position, place) => {
  expect(placeOf(text, position)).toEqual(place)
})
