// Slices of work: who waits for the event loop has a turn between them.

import { expect, test } from 'vitest'
import { createLoopTurns } from './loop-turns.ts'

test('a slice that is over lets others have their turn, and tells how long it took', async () => {
  const endSlice = createLoopTurns()
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
