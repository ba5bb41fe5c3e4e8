// Tests that other work runs in the event loop between two time slices.

import { expect, test } from 'vitest'
import { createTimeSlices } from './time-slices.ts'

test('a slice that is over yields to the event loop, and returns how long it took', async () => {
  const endSlice = createTimeSlices()
  let hadTurn = false
  setImmediate(() => {
    hadTurn = true
  })
  const end = performance.now() + 6
  while (performance.now() < end);
  expect(hadTurn).toBe(false)
  expect(await endSlice()).toBeGreaterThanOrEqual(6)
  expect(hadTurn).toBe(true)
})
