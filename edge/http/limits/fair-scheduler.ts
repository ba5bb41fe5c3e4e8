// Schedules batches on the event loop round-robin by environment, so that other requests are served between two batches.

/** Events that are planned in one turn of the event loop. */
const TURN_EVENTS = 100

export interface FairScheduler {
  /**
   * Waits for the environment's turn.
   * @returns A promise of the turn; undefined when the caller may continue at once.
   */
  waitTurn(environmentId: number, events: number): Promise<void> | undefined
}

interface Waiting {
  events: number
  begin(): void
}

/** @returns A scheduler with one queue for each environment. */
export function createFairScheduler(): FairScheduler {
  /** Waiting batches by environment, in the order of the next turns; after its turn a lane moves to the end. */
  const lanes = new Map<number, Waiting[]>()
  /** Events planned in this turn of the event loop; null: idle. */
  let taken: number | null = null

  function nextTurn(): void {
    taken = null
    while (lanes.size > 0 && (taken === null || taken < TURN_EVENTS)) beginNext()
    if (taken !== null) setImmediate(nextTurn)
  }

  function beginNext(): void {
    const [environmentId, lane] = lanes.entries().next().value as [number, Waiting[]]
    const waiting = lane.shift() as Waiting
    lanes.delete(environmentId)
    if (lane.length > 0) lanes.set(environmentId, lane)
    taken = (taken ?? 0) + waiting.events
    waiting.begin()
  }

  return {
    waitTurn(environmentId, events) {
      if (taken === null) setImmediate(nextTurn)
      if (lanes.size === 0 && (taken === null || taken + events <= TURN_EVENTS)) {
        taken = (taken ?? 0) + events
        return undefined
      }
      return new Promise((resolve) => {
        const lane = lanes.get(environmentId)
        const waiting = { events, begin: resolve }
        if (lane === undefined) lanes.set(environmentId, [waiting])
        else lane.push(waiting)
      })
    },
  }
}
