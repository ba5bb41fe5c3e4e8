// Tests the bars of a series, their axis, and the change against the time before.

import { expect, test } from 'vitest'
import { barsOf, changeOf, HEIGHT, topOf, WIDTH } from './chart.ts'

const point = (delivery: number, read = 0, clicked = 0) => ({
  ...{ at: '2026-11-30T00:00:00.000Z', delivery, read, clicked },
  opened: 0,
})

test('the axis ends at the next round number', () => {
  for (const [highest, top] of [
    [0, 1],
    [1, 1],
    [2, 2],
    [7, 8],
    [10, 10],
    [11, 15],
    [16, 20],
    [4321, 5000],
  ] as const) {
    expect([highest, topOf([point(highest)])]).toEqual([highest, top])
  }
  expect(topOf([])).toBe(1)
})

test('a bar is as high as its share, and what was read and clicked lies within it', () => {
  const [empty, half, full] = barsOf([point(0), point(5, 2, 1), point(10, 12)])
  expect(empty?.parts).toEqual([])
  expect(half?.parts).toEqual([
    { step: 'delivery', y: HEIGHT / 2, height: HEIGHT / 2 },
    { step: 'read', y: HEIGHT * 0.8, height: HEIGHT * 0.2 },
    { step: 'clicked', y: HEIGHT * 0.9, height: HEIGHT * 0.1 },
  ])
  expect(full?.parts.map(({ height }) => height)).toEqual([HEIGHT, HEIGHT])
  expect((full?.x ?? 0) + (full?.width ?? 0)).toBeLessThanOrEqual(WIDTH)
})

test('one message among very many is still seen', () => {
  expect(barsOf([point(1), point(100_000)])[0]?.parts).toMatchObject([{ height: 1 }])
})

test('a change is in per cent, and there is none from nothing', () => {
  expect([changeOf(15, 10), changeOf(5, 10), changeOf(10, 10), changeOf(3, 0)]).toEqual([50, -50, 0, null])
})
