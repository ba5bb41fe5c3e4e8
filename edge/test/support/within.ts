// Measures time limits of the product ("within a second") by the time that this process ran,
// so that a blocked machine breaks none.

import { setTimeout } from 'node:timers/promises'
import { startRunningTime } from '../../lib/running-time.ts'

const POLL_EVERY_MS = 10

/** Returns the milliseconds that this process ran. */
export const runningNow = startRunningTime(POLL_EVERY_MS).now

/**
 * Waits until the check passes. @returns the time that it took (ms)
 * @throws the check's error when the last attempt began after `limitMs`
 */
export async function within(limitMs: number, check: () => unknown): Promise<number> {
  const from = runningNow()
  for (;;) {
    const tookMs = runningNow() - from
    try {
      await check()
      return tookMs
    } catch (error) {
      if (tookMs > limitMs) throw error
    }
    await setTimeout(POLL_EVERY_MS)
  }
}
