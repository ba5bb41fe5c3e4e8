// Waits that stay where they are while the store must not grow: nothing is claimed, so that no attempt is lost.

import type { RunWaits } from '../domain/run/run-wait.ts'

const ASK_AGAIN_MS = 1000

type Claiming = Pick<RunWaits, 'claim' | 'nextDueInMs'>

/** The same waits; while `isPaused`, none is due before a second from now. */
export function createPausedWaits(waits: Claiming, isPaused: () => boolean): Claiming {
  return {
    claim: async (now, leaseMs, limit) => (isPaused() ? [] : waits.claim(now, leaseMs, limit)),
    nextDueInMs: async (now) => (isPaused() ? ASK_AGAIN_MS : waits.nextDueInMs(now)),
  }
}
