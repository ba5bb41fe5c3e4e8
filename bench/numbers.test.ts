// Tests the functions that compute the figures of benchmarks.

import { expect, test } from 'vitest'
import { median, percentile } from './numbers.ts'

test('median of odd and even counts, in any order', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(median([])).toBeNaN()
})

test('percentiles by nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect(percentile(values, 0.99)).toBe(99)
  expect(percentile(values, 0.5)).toBe(50)
  expect(percentile([7], 0.99)).toBe(7)
  expect(percentile([], 0.5)).toBeNaN()
})
