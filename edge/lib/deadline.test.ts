// Tests that a deadline does not expire because of a busy event loop.

import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { withDeadline } from './deadline.ts'

const late = () => new Error('late')

test('a promise that settles in time keeps its result', async () => {
  expect(await withDeadline(Promise.resolve(7), 1000, late)).toBe(7)
  await expect(withDeadline(Promise.reject(new Error('own')), 1000, late)).rejects.toThrow('own')
})

test('a promise that does not settle is late', async () => {
  await expect(withDeadline(new Promise(() => {}), 10, late)).rejects.toThrow('late')
})

test('a result that arrived during a busy loop is in time', async () => {
  const arrives = new Promise<number>((resolve) => setTimeout(resolve, 20, 7))
  const answer = withDeadline(arrives, 10, late)
  const until = performance.now() + 200
  while (performance.now() < until);
  expect(await answer).toBe(7)
})

test('a pause of the process does not count, also when the other side needs time after it', async () => {
  let afterPause = () => {}
  const answer = new Promise<number>((resolve) => {
    afterPause = () => setTimeout(resolve, 100, 7)
  })
  const kept = withDeadline(answer, 200, late)
  const until = performance.now() + 500
  while (performance.now() < until);
  afterPause()
  expect(await kept).toBe(7)
})
