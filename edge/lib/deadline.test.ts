// A bound for waiting that a busy loop does not break.

import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { withDeadline } from './deadline.ts'

const late = () => new Error('late')

test('what settles in time settles so', async () => {
  expect(await withDeadline(Promise.resolve(7), 1000, late)).toBe(7)
  await expect(withDeadline(Promise.reject(new Error('own')), 1000, late)).rejects.toThrow('own')
})

test('what does not settle is late', async () => {
  await expect(withDeadline(new Promise(() => {}), 10, late)).rejects.toThrow('late')
})

test('what was there before a busy loop could look is in time', async () => {
  const arrives = new Promise<number>((resolve) => setTimeout(resolve, 20, 7))
  const answer = withDeadline(arrives, 10, late)
  const until = performance.now() + 200
  while (performance.now() < until);
  expect(await answer).toBe(7)
})

test('a standstill is not the delay of the other side, which needs a moment behind it, too', async () => {
  let stoodStill = () => {}
  const answer = new Promise<number>((resolve) => {
    stoodStill = () => setTimeout(resolve, 100, 7)
  })
  const kept = withDeadline(answer, 200, late)
  const until = performance.now() + 500
  while (performance.now() < until);
  stoodStill()
  expect(await kept).toBe(7)
})
