// Keeps which polls of the page fail, so that one band can say that what is shown is old.

/** Sent to the window when a poll begins to fail or succeeds again. */
export const CONNECTION = 'nc-connection'

/** What reads again and again. */
export interface Polling {
  pollNow(): void
}

export interface Interruption {
  /** The last time at which the poll succeeded (epoch ms). */
  since: number
  /** undefined: no answer has come. */
  error: unknown
}

const interrupted = new Map<Polling, Interruption>()

/** @param interruption undefined: the poll succeeds, or its element is gone. */
export function report(poller: Polling, interruption: Interruption | undefined): void {
  if (interruption === undefined && !interrupted.delete(poller)) return
  if (interruption !== undefined) interrupted.set(poller, interruption)
  dispatchEvent(new Event(CONNECTION))
}

/** @returns The oldest interruption; undefined while all polls succeed. */
export function findInterruption(): Interruption | undefined {
  return [...interrupted.values()].sort((one, other) => one.since - other.since)[0]
}

/** Polls again at once. */
export function retry(): void {
  for (const poller of interrupted.keys()) poller.pollNow()
}
