// Divides long synchronous work into time slices, so that other work runs in the event loop in between.

import { setImmediate } from 'node:timers/promises'

/** How long a slice may block the event loop (ms). */
const SLICE_MS = 5

/**
 * @returns A function to call after each piece of work. When the slice is over it yields to the event loop and returns
 * how long the slice took (ms); before that it returns 0.
 */
export function createTimeSlices(): () => Promise<number> {
  let startedAt = performance.now()
  return async () => {
    const tookMs = performance.now() - startedAt
    if (tookMs < SLICE_MS) return 0
    await setImmediate()
    startedAt = performance.now()
    return tookMs
  }
}
