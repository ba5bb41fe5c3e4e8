// How long to wait before trying again: 1–10 s with jitter for the socket, 15–30 s between two `changes` (contract section 5, choices.md section 3).

/** Delay in ms before attempt number `attempt` (from 0): grows to 10 s, spread so that a restart brings no herd. */
export function reconnectDelayMs(attempt: number, random: () => number = Math.random): number {
  const ceilingMs = Math.min(10_000, 2_000 * 1.7 ** attempt)
  return Math.round(1_000 + (ceilingMs - 1_000) * random())
}

/** Delay in ms between two questions for `changes`. */
export function askDelayMs(random: () => number = Math.random): number {
  return Math.round(15_000 + 15_000 * random())
}
