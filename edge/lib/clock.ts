// The only place that asks for the time; tests pass their own.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

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
