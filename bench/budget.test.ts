// The quick profile must end within ten minutes whatever happens, and the long one fits an hour's rest.

import { expect, test } from 'vitest'
import { BENCHMARKS } from './benchmarks.ts'
import { describePlan, limitOf } from './budget.ts'

const minutes = { rehearsal: 0.1, quick: 1, full: 4 }

test('nothing of the quick profile may go on after nine minutes, nor begin when its time is not left', () => {
  expect(limitOf({ minutes }, 'quick', true, 0)).toBe(4)
  expect(limitOf({ minutes }, 'quick', true, 7.5)).toBe(1.5)
  expect(limitOf({ minutes }, 'quick', true, 8.1)).toBeUndefined()
})

test('one that was named has its own limit alone, and so has each of the long profile', () => {
  expect(limitOf({ minutes }, 'quick', false, 100)).toBe(4)
  expect(limitOf({ minutes }, 'full', true, 100)).toBe(13)
})

test('the plans of all benchmarks fit: the quick one under nine minutes, the long one under forty-five', () => {
  const sum = (profile: 'quick' | 'full') => BENCHMARKS.reduce((total, planned) => total + planned.minutes[profile], 0)
  // The last one, the widget, is left out of the quick one when its time is not left, and run by its name.
  const last = BENCHMARKS.at(-1)
  expect(last?.benchmark.name).toBe('widget')
  expect(sum('quick') - (last?.minutes.quick ?? 0)).toBeLessThanOrEqual(9)
  expect(sum('full')).toBeLessThanOrEqual(45)
})

test('the plan names each with its minutes, and the sum', () => {
  const lines = describePlan(BENCHMARKS, 'full')
  expect(lines).toHaveLength(BENCHMARKS.length + 1)
  expect(lines[0]).toMatch(/^ +[0-9.]+ min {2}track /)
  expect(lines.at(-1)).toContain('full profile')
})
