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
  // Events of a batch and all of one event share their instant; formatting it is dear.
  if (at !== lastAt) {
    lastText = new Date(at).toISOString()
    lastAt = at
  }
  return lastText
}

let lastAt = 0
let lastText = new Date(0).toISOString()
