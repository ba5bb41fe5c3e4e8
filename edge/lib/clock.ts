// Provides the clock, the only source of time; tests pass their own.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export interface StoreClock extends Clock {
  /** Reads the time of the store; the answer may take seconds. */
  compare(readNow: () => Promise<number>): Promise<void>
}

/** A smaller difference is ignored: time servers keep clocks closer, and a slow answer is less exact. */
const MAX_SKEW_MS = 1000

/**
 * Creates the clock that several nodes share, so that writes of one node become due on all. A node that differs by more than
 * MAX_SKEW_MS uses the store's time; setting its own clock has no effect (docs/decisions/0008-postgres-node-leases.md).
 */
export function createStoreClock({
  now = systemClock.now,
  monotonicMs = () => performance.now(),
}: {
  now?: () => number
  monotonicMs?: () => number
} = {}): StoreClock {
  let offsetMs = 0
  let begun = { at: now(), monotonicMs: monotonicMs() }
  return {
    now() {
      const at = now()
      const expectedAt = begun.at + monotonicMs() - begun.monotonicMs
      return Math.round((Math.abs(at - expectedAt) > MAX_SKEW_MS ? expectedAt : at) + offsetMs)
    },
    async compare(readNow) {
      const askedMs = monotonicMs()
      const storeAt = await readNow()
      const tookMs = monotonicMs() - askedMs
      begun = { at: now(), monotonicMs: monotonicMs() }
      const skewMs = storeAt + tookMs / 2 - begun.at
      if (Math.abs(skewMs - offsetMs) <= MAX_SKEW_MS + tookMs / 2) return
      offsetMs = Math.abs(skewMs) > MAX_SKEW_MS ? skewMs : 0
    },
  }
}

/** Formats an instant for the wire: ISO 8601 UTC with milliseconds, or null. */
export function toIso(at: number): string
export function toIso(at: number | null): string | null
export function toIso(at: number | null): string | null {
  if (at === null) return null
  // Formatting is expensive, and an event is answered with its instant some commits later, so the last results are cached.
  const place = at & (PLACES - 1)
  if (at !== KEPT_AT[place]) {
    KEPT_TEXT[place] = new Date(at).toISOString()
    KEPT_AT[place] = at
  }
  return KEPT_TEXT[place] as string
}

const PLACES = 64
const KEPT_AT = new Float64Array(PLACES).fill(Number.NaN)
const KEPT_TEXT: string[] = new Array(PLACES).fill('')
