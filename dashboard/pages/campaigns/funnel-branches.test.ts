// Tests the parts of a funnel: sums of equal branches, and percentages of what was delivered.

import { expect, test } from 'vitest'
import type { FunnelAnswer, FunnelStep } from '../../../contract/api.ts'
import { barsOf, partsOf, percentOfDelivered, versionsOf } from './funnel-branches.ts'

const steps = (...counts: number[]): FunnelStep[] =>
  counts.map((count, at) => ({
    step: (['delivery', 'read', 'opened', 'clicked'] as const)[at] ?? 'clicked',
    count,
    percentOfPrevious: null,
  }))

const funnel: FunnelAnswer = {
  window: '7d',
  channel: 'inbox',
  steps: steps(20, 10, 4, 1),
  branches: [
    { version: 1, branch: null, steps: steps(2, 0, 0, 0) },
    { version: 2, branch: 'gold', steps: steps(8, 4, 1, 0) },
    { version: 3, branch: 'gold', steps: steps(4, 4, 2, 1) },
    { version: 3, branch: 'all/versions', steps: steps(6, 2, 1, 0) },
  ],
}

const countsOf = (version?: number) =>
  partsOf(funnel, version).map(({ name, steps: own }) => [name, ...own.map(({ count }) => count)])

test('of all versions equal branches are one, and of a version only its own are there', () => {
  expect(versionsOf(funnel)).toEqual([3, 2, 1])
  expect(countsOf()).toEqual([
    ['All branches', 20, 10, 4, 1],
    ['Without a branch', 2, 0, 0, 0],
    ['gold', 12, 8, 3, 1],
    ['all / versions', 6, 2, 1, 0],
  ])
  expect(countsOf(3)).toEqual([
    ['Version 3', 10, 6, 3, 1],
    ['gold', 4, 4, 2, 1],
    ['all / versions', 6, 2, 1, 0],
  ])
  const [whole] = partsOf(funnel, 3)
  expect(whole?.steps.map(({ percentOfPrevious }) => percentOfPrevious)).toEqual([null, 60, 50, 33.3])
})

test('a version without messages counts none, and a funnel without branches has one part and no versions', () => {
  expect(countsOf(9)).toEqual([['Version 9', 0, 0, 0, 0]])
  const { branches: _, ...plain } = funnel
  expect(versionsOf(plain)).toEqual([])
  expect(partsOf(plain, undefined)).toEqual([{ name: 'All branches', steps: funnel.steps }])
})

test('bars compare the shares of what each branch delivered, and the best stands out where they differ', () => {
  const [, ...branches] = partsOf(funnel, 3)
  const [read, , clicked] = barsOf(branches)
  expect(read).toEqual({
    step: 'read',
    bars: [
      { name: 'gold', count: 4, percent: 100, isBest: true },
      { name: 'all / versions', count: 2, percent: 33.3, isBest: false },
    ],
  })
  expect(clicked?.bars.map(({ percent, isBest }) => [percent, isBest])).toEqual([
    [25, true],
    [0, false],
  ])
  const same = barsOf([
    { name: 'a', steps: steps(4, 2) },
    { name: 'b', steps: steps(2, 1) },
  ])
  expect(same[0]?.bars.some(({ isBest }) => isBest)).toBe(false)
})

test('percentages of what was delivered: none for the first step, and none of nothing', () => {
  expect(funnel.steps.map((_, at) => percentOfDelivered(funnel.steps, at))).toEqual([null, 50, 20, 5])
  expect(percentOfDelivered(steps(0, 0), 1)).toBeNull()
})
