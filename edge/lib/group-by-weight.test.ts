// Tests the division of a list into groups.

import { expect, test } from 'vitest'
import { groupByWeight } from './group-by-weight.ts'

test.each([
  [[], []],
  [[1], [[1]]],
  [
    [1, 2, 3, 4],
    [[1, 2, 3], [4]],
  ],
  [
    [9, 1, 1],
    [[9], [1, 1]],
  ],
  [
    [0, 6, 0, 1],
    [[0, 6, 0], [1]],
  ],
  [
    [9, 9],
    [[9], [9]],
  ],
])('%j is divided into %j, of at most 6 each', (weights, groups) => {
  expect(groupByWeight(weights, (weight) => weight, 6)).toEqual(groups)
})
