// Tests the parts of a funnel: sums of equal branches, and percentages of what was delivered.

import { expect, test } from 'vitest'
import type { FunnelAnswer, FunnelStep } from '../../../contract/api.ts'
import { partOf, partsOf, percentOfDelivered } from './funnel-branches.ts'

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
    { version: 3, branch: 'all versions', steps: steps(6, 2, 1, 0) },
  ],
}

test('a branch of several versions is summed, and each of a version can be chosen', () => {
  expect(partsOf(funnel).map(({ name }) => name)).toEqual([
    'All branches',
    'Branch gold, all versions',
    'Version 1, without a branch',
    'Version 2, branch gold',
    'Version 3, branch gold',
    'Version 3, branch all versions',
  ])
  const sum = partOf(funnel, '["gold"]')
  expect(sum.steps.map(({ count, percentOfPrevious }) => [count, percentOfPrevious])).toEqual([
    [12, null],
    [8, 66.7],
    [3, 37.5],
    [1, 33.3],
  ])
  expect(partOf(funnel, '["gold",3]').steps[0]?.count).toBe(4)
})

test('an id that the funnel does not have shows all branches', () => {
  for (const id of [null, '', 'gold', '["gone"]']) expect(partOf(funnel, id).name).toBe('All branches')
})

test('percentages of what was delivered: none for the first step, and none of nothing', () => {
  expect(funnel.steps.map((_, at) => percentOfDelivered(funnel.steps, at))).toEqual([null, 50, 20, 5])
  expect(percentOfDelivered(steps(0, 0), 1)).toBeNull()
})
