// Work without a wait in it, cut into slices, so that everybody else has the event loop in between.

import { setImmediate } from 'node:timers/promises'

/** How long a slice may hold up the loop (ms). */
const TURN_MS = 5

/** @returns A function for the end of each piece of work: it lets others have their turn when the slice is over, and returns how long the slice took (ms), 0 while it goes on. */
export function createLoopTurns(): () => Promise<number> {
  let turnedAt = performance.now()
  return async () => {
    const tookMs = performance.now() - turnedAt
    if (tookMs < TURN_MS) return 0
    await setImmediate()
    turnedAt = performance.now()
    return tookMs
  }
}
