// The size of batches, by who waits and how quick the writer is.

import { expect, test } from 'vitest'
import { createBatchPace } from './batch-pace.ts'

test('one environment alone fills its batches', () => {
  const pace = createBatchPace()
  for (let at = 0; at < 100; at++) pace.note(1, at)
  pace.settled(1000, 200)
  expect(pace.most(1000, 100)).toBe(1000)
})

test('while two are there a batch holds what the writer does in a moment, and a second after no longer', () => {
  const pace = createBatchPace()
  pace.note(1, 0)
  pace.settled(1000, 100)
  pace.note(2, 10)
  expect(pace.most(1000, 10)).toBe(300)
  expect(pace.most(1000, 1010)).toBe(300)
  expect(pace.most(1000, 1011)).toBe(1000)
})

test('it follows the writer, and stays within its bounds', () => {
  const pace = createBatchPace()
  const size = () => pace.most(1000, 0)
  pace.note(1, 0)
  pace.note(2, 0)
  expect(size()).toBe(1000)
  for (let n = 0; n < 50; n++) pace.settled(200, 200)
  expect(size()).toBe(200)
  for (let n = 0; n < 50; n++) pace.settled(1000, 5)
  expect(size()).toBe(1000)
  // Small batches say nothing of the cost of a plan.
  pace.settled(199, 5000)
  expect(size()).toBe(1000)
})
