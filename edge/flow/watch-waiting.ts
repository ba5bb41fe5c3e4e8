// Logs when mails, runs or jobs wait for long though their time has come, and when they do no more.

import type { Core } from '../domain/core.ts'
import type { ClaimKind } from '../domain/in-hand.ts'

/** What waits for longer is logged; the pauses between attempts alone take up to a minute. */
const LONG_MS = 60_000
/** Work that goes on waiting is logged again so often. */
const AGAIN_MS = 10 * 60_000

/** @returns A function to call periodically. */
export function createWatchWaiting({ waitings, clock, log }: Pick<Core, 'waitings' | 'clock' | 'log'>) {
  const loggedAt = new Map<ClaimKind, number>()
  return async function watchWaiting(): Promise<void> {
    const now = clock.now()
    for (const [kind, { count, oldestMs, error }] of Object.entries(await waitings.read(now))) {
      const lastAt = loggedAt.get(kind as ClaimKind)
      if (oldestMs < LONG_MS) {
        if (loggedAt.delete(kind as ClaimKind)) log.info('work does not wait any more', { kind })
      } else if (lastAt === undefined || now - lastAt >= AGAIN_MS) {
        const reason = error === null ? {} : { reason: error }
        log.warn('work waits', { kind, count, durationMs: oldestMs, ...reason })
        loggedAt.set(kind as ClaimKind, now)
      }
    }
  }
}
