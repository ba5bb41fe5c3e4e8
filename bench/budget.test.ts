// Tests that the quick profile ends within ten minutes and that the long one fits into its time.

import type * as Fs from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BENCHMARKS, chooseBenchmarks } from './benchmarks.ts'
import { describePlan, limitOf, minutesOf } from './budget.ts'

const minutes = { rehearsal: 0.1, quick: 1, full: 4 }

test('nothing of the quick profile may go on after nine and a half minutes, nor begin when its time is not left', () => {
  expect(limitOf({ minutes }, 'quick', true, 0)).toBe(4)
  expect(limitOf({ minutes }, 'quick', true, 7.5)).toBe(2)
  expect(limitOf({ minutes }, 'quick', true, 8.6)).toBeUndefined()
})

test('one that was named has its own limit alone, and so has each of the long profile', () => {
  expect(limitOf({ minutes }, 'quick', false, 100)).toBe(4)
  expect(limitOf({ minutes }, 'full', true, 100)).toBe(13)
})

test('the plans of all benchmarks fit: the quick one in nine and a half minutes, the long one in an hour', () => {
  const sum = (profile: 'quick' | 'full') => {
    const all = chooseBenchmarks([], profile)
    return all.reduce((total, planned) => total + minutesOf(planned, all, profile), 0)
  }
  expect(sum('quick')).toBeLessThanOrEqual(9.3)
  expect(sum('full')).toBeLessThanOrEqual(60)
})

test('the long profile leaves out those that take the longest, and each can be named in the quick one', () => {
  const leftOut = BENCHMARKS.filter((one) => !chooseBenchmarks([], 'full').includes(one))
  expect(leftOut.map(({ benchmark }) => benchmark.name)).toEqual([
    'history',
    'hostile',
    'email',
    'connectors',
    'mail-fan-out',
    'dashboard',
  ])
  const names = BENCHMARKS.map(({ benchmark }) => benchmark.name)
  for (const name of names) expect(chooseBenchmarks([name], 'quick').map((one) => one.benchmark.name)).toEqual([name])
})

test('the first that reads many messages has the time to store them, the others find them', () => {
  const [first, second] = [1, 2].map((full) => ({
    minutes: { rehearsal: 0, quick: 0, full },
    seeding: { rehearsal: 0, quick: 0, full: 4 },
  }))
  if (first === undefined || second === undefined) throw new Error('two')
  expect([first, second].map((one) => minutesOf(one, [first, second], 'full'))).toEqual([5, 2])
  expect(minutesOf(second, [second], 'full')).toBe(6)
  // The same holds after the first benchmark has failed.
  expect(limitOf(second, 'full', true, 0)).toBe(19)
})

test('the plan names each with its minutes, and the sum', () => {
  const lines = describePlan(BENCHMARKS, 'full')
  expect(lines).toHaveLength(BENCHMARKS.length + 1)
  expect(lines[0]).toMatch(/^ +[0-9.]+ min {2}track /)
  expect(lines.at(-1)).toContain('full profile')
})

test('the plan can be read before anything was built', async () => {
  const reads = vi.fn<(path: unknown) => void>()
  vi.resetModules()
  vi.doMock('node:fs', async (original) => {
    const fs = await original<typeof Fs>()
    const watch = <T extends (path: never) => unknown>(read: T): T =>
      new Proxy(read, {
        apply: (target, self, args) => {
          reads(args[0])
          return Reflect.apply(target, self, args)
        },
      })
    return { ...fs, readFileSync: watch(fs.readFileSync), readdirSync: watch(fs.readdirSync) }
  })
  onTestFinished(() => vi.doUnmock('node:fs'))
  const { BENCHMARKS: anew } = await import('./benchmarks.ts')
  expect(anew.map(({ benchmark }) => benchmark.name)).toContain('widget')
  expect(reads.mock.calls.map(([path]) => String(path)).filter((path) => path.includes('/dist'))).toEqual([])
})
