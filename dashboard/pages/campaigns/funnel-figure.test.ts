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

test('bars fill the width and are as high as their share; each way leads to the top of the next bar', () => {
  const bands = bandsOf(steps(100, 50, 25, 5))
  const last = bands.at(-1)
  expect(last).toMatchObject({ label: 'Clicked', way: '' })
  expect((last?.bar.x ?? 0) + (last?.bar.width ?? 0)).toBeCloseTo(WIDTH, 0)
  expect(bands.map(({ bar }) => bar.height / (bands[0]?.bar.height ?? 1))).toEqual([1, 0.5, 0.25, 0.05])
  for (const [at, { way }] of bands.slice(0, -1).entries()) {
    const { x, y } = bands[at + 1]?.bar ?? { x: 0, y: 0 }
    const [left = 0, top = 0] = way.split(' ')[1]?.split(',').map(Number) ?? []
    expect([left - x, top - y].every((off) => Math.abs(off) < 0.2)).toBe(true)
  }
})

test('a count of 0 has no bar, and the smallest other one is a thin line', () => {
  expect(bandsOf(steps(0, 0, 0, 0)).map(({ bar }) => bar.height)).toEqual([0, 0, 0, 0])
  expect(bandsOf(steps(10_000, 1, 0, 0)).map(({ bar }) => bar.height)).toEqual([168, 3, 0, 0])
})
