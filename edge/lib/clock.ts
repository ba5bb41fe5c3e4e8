// The only place that asks for the time; tests pass their own.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export interface StoreClock extends Clock {
  /** Asks the store for its time, which may be seconds after the question. */
  compare(readNow: () => Promise<number>): Promise<void>
}

/** Below this a node keeps its own time: time servers hold clocks closer, and an answer that took long says less. */
const FAR_MS = 1000

/**
 * The clock that several nodes share, the store's: what one of them writes falls due on all. A node whose own is further off goes
 * by the store's, and one that is set between two comparisons goes on as if it were not, until the next (docs/decisions/0223).
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
      return Math.round((Math.abs(at - expectedAt) > FAR_MS ? expectedAt : at) + offsetMs)
    },
    async compare(readNow) {
      const askedMs = monotonicMs()
      const storeAt = await readNow()
      const tookMs = monotonicMs() - askedMs
      begun = { at: now(), monotonicMs: monotonicMs() }
      const skewMs = storeAt + tookMs / 2 - begun.at
      if (Math.abs(skewMs - offsetMs) <= FAR_MS + tookMs / 2) return
      offsetMs = Math.abs(skewMs) > FAR_MS ? skewMs : 0
    },
  }
}

/** ISO 8601 UTC with milliseconds, or null: the form of every instant on the wire (contract section 1). */
export function toIso(at: number): string
export function toIso(at: number | null): string | null
export function toIso(at: number | null): string | null {
  if (at === null) return null
  // An event is planned at an instant and answered with it some commits later; formatting it is dear. A place for each of the last ones.
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
