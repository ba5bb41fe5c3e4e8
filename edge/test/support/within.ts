// Promises of the product in milliseconds ("within a second"), judged by the time that this process ran: a machine that stands still
// for a moment breaks none.

import { setTimeout } from 'node:timers/promises'
import { startRunningTime } from '../../lib/running-time.ts'

const LOOK_EVERY_MS = 10

/** Milliseconds that this process ran. */
export const runningNow = startRunningTime(LOOK_EVERY_MS).now

/** Waits until the check passes, and answers after how long; fails as one does that begins after `limitMs`. */
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
    await setTimeout(LOOK_EVERY_MS)
  }
}
