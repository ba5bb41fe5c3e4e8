// Declares the reads of digests. A window is closed in its own commit and read after it, so that the result cannot
// change: a repeat after a crash is equal.

import type { RunKey } from './run-wait.ts'

/** A gathered event, as it was tracked. */
export interface GatheredEvent {
  eventId: number
  name: string
  /** JSON text. */
  properties: string
  occurredAt: number
}

export interface Digests {
  /** Closes the windows of these runs, so that no more events join. Runs without an open window are skipped. */
  close(runs: RunKey[]): Promise<void>
  /** Returns the size of each run's events, as JSON (bytes). */
  weigh(runs: RunKey[]): Promise<Map<number, number>>
  /** Returns the events by run, in the order in which they joined. */
  listEvents(runs: RunKey[]): Promise<Map<number, GatheredEvent[]>>
}
