// Pauses jobs and waits while the store must not grow: nothing is claimed, so that no attempt is used up.

const POLL_AGAIN_MS = 1000

interface Claims<C extends unknown[], N extends unknown[], R> {
  claim(...claim: C): Promise<R[]>
  /** Milliseconds; null: nothing is stored. */
  nextDueInMs(...query: N): Promise<number | null>
}

/** Wraps the claims of jobs or waits: while `isPaused`, nothing is claimed and nothing is due within a second. */
export function pauseClaims<C extends unknown[], N extends unknown[], R>(
  work: Claims<C, N, R>,
  isPaused: () => boolean,
): Claims<C, N, R> {
  return {
    claim: async (...claim) => (isPaused() ? [] : work.claim(...claim)),
    nextDueInMs: async (...query) => (isPaused() ? POLL_AGAIN_MS : work.nextDueInMs(...query)),
  }
}
