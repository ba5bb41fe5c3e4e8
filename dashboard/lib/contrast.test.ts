// Tests the contrast of colours against known values.

import { expect, test } from 'vitest'
import { contrastOf } from './contrast.ts'

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#ffff00', '#ffffff', 1.07],
])('%s on %s is %s', (one, other, expected) => {
  expect(contrastOf(one, other)).toBeCloseTo(expected, 2)
  expect(contrastOf(other, one)).toBeCloseTo(expected, 2)
})
