// How long to wait before trying again: 1–10 s with jitter for the socket, 15–30 s between two `changes`.

/**
 * Delay in ms before attempt number `attempt` (from 0): from 1 to 8 s, then to 10 s. As wide as this at once, because a
 * server that goes loses all its sockets at one instant, and each that comes back costs the next one a third of a ms.
 */
export function reconnectDelayMs(attempt: number, random: () => number = Math.random): number {
  const ceilingMs = Math.min(10_000, 8_000 * 1.25 ** attempt)
  return Math.round(1_000 + (ceilingMs - 1_000) * random())
}

/** Delay in ms between two questions for `changes`. */
export function askDelayMs(random: () => number = Math.random): number {
  return Math.round(15_000 + 15_000 * random())
}

/** Delay in ms from a lost socket to the first question: soon, but not all pages of a server at one instant. */
export function firstAskDelayMs(random: () => number = Math.random): number {
  return Math.round(3_000 * random())
}

/** Delay in ms between two questions for `changes` of a page that nobody has seen for long. */
export function parkedAskDelayMs(random: () => number = Math.random): number {
  return Math.round(300_000 + 60_000 * random())
}
