// Tests when a tenant counts as slow, and when as quick again.

import { expect, test } from 'vitest'
import { createSlowTenants } from './slow-tenants.ts'

test.each([
  ['many quick tasks', Array(1000).fill(20), false],
  ['one long task, such as the first of a process', [60], false],
  ['one long task in each hundred', Array.from({ length: 1000 }, (_, at) => (at % 100 === 0 ? 60 : 1)), false],
  ['a very long task', [300], true],
  ['two long tasks', [45, 45], true],
  [
    'a long task among three quick ones, again and again',
    Array.from({ length: 20 }, (_, at) => (at % 4 ? 2 : 40)),
    true,
  ],
])('%s', (_, times, isSlow) => {
  const tenants = createSlowTenants()
  for (const ms of times) tenants.record(1, ms)
  expect(tenants.has(1)).toBe(isSlow)
  expect(tenants.has(2)).toBe(false)
})

test('a slow tenant is quick again after its quick tasks', () => {
  const tenants = createSlowTenants()
  tenants.record(1, 500)
  let tasks = 0
  for (; tenants.has(1); tasks++) tenants.record(1, 1)
  expect(tasks).toBeGreaterThan(20)
  expect(tasks).toBeLessThan(60)
})

test('a tenant without tasks is forgotten for others', () => {
  const tenants = createSlowTenants()
  for (let id = 0; id <= 10_000; id++) tenants.record(id, 500)
  expect([tenants.has(0), tenants.has(1), tenants.has(10_000)]).toEqual([false, true, true])
})
