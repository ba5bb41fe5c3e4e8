// Tests the points of the line of a campaign.

import { expect, test } from 'vitest'
import { pointsOf } from './sparkline.ts'

test('the highest day touches the top, a day without deliveries the ground', () => {
  expect(pointsOf([0, 5, 10])).toBe('2,22 48,12 94,2')
})

test('days without any deliveries are a line on the ground', () => expect(pointsOf([0, 0])).toBe('2,22 94,22'))
