// Tests whose plain campaigns are evaluated in a sandbox.

import { expect, test } from 'vitest'
import { createCostlyTenants } from './costly-tenants.ts'

test('one costly evaluation, or many a little costly ones, make a tenant costly for a while', () => {
  let now = 0
  const costly = createCostlyTenants(() => now)
  for (let count = 0; count < 100_000; count++) costly.record(1, 1000)
  costly.record(2, 102_000)
  for (let count = 0; count < 101; count++) costly.record(3, 2000)
  expect([1, 2, 3, 4].map(costly.has)).toEqual([false, true, true, false])
  now = 1000
  expect([2, 3].map(costly.has)).toEqual([false, false])
  costly.record(2, 102_000)
  expect(costly.has(2)).toBe(true)
})

test('the units of a period do not add up with those of the next one', () => {
  let now = 0
  const costly = createCostlyTenants(() => now)
  for (; now < 10_000; now += 20) costly.record(1, 2900)
  expect(costly.has(1)).toBe(false)
})
