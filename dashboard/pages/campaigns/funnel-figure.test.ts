// Tests the shape of the funnel.

import { expect, test } from 'vitest'
import type { FunnelStep } from '../../../contract/api.ts'
import { bandsOf, WIDTH } from './funnel-figure.ts'

const steps = (...counts: number[]): FunnelStep[] =>
  counts.map((count, at) => ({
    step: (['delivery', 'read', 'opened', 'clicked'] as const)[at] ?? 'clicked',
    count,
    percentOfPrevious: at === 0 ? null : 50,
  }))
const heightsOf = (points: string) => {
  const [a, b, c, d] = points.split(' ').map((corner) => Number(corner.split(',')[1]))
  return { from: (d ?? 0) - (a ?? 0), to: (c ?? 0) - (b ?? 0) }
}

test('bands fill the width, and each ends as high as the next begins', () => {
  const bands = bandsOf(steps(100, 50, 25, 5))
  expect(bands.at(-1)).toMatchObject({ label: 'Clicked' })
  expect((bands.at(-1)?.x ?? 0) + (bands.at(-1)?.width ?? 0)).toBeCloseTo(WIDTH)
  const heights = bands.map(({ points }) => heightsOf(points))
  for (const [at, { to }] of heights.entries()) {
    if (at < 3) expect(to).toBeCloseTo(heights[at + 1]?.from ?? 0, 0)
  }
  expect((heights[1]?.from ?? 0) / (heights[0]?.from ?? 1)).toBeCloseTo(0.5, 1)
})

test('without any delivery each step is a thin line', () => {
  for (const { points } of bandsOf(steps(0, 0, 0, 0))) expect(heightsOf(points).from).toBeCloseTo(3, 0)
})
