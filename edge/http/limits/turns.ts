// Who may work next: batches take turns on the loop, environment by environment, so that between two of them everybody else is heard (house section 3).

/** Events that are planned in one turn of the loop. */
const TURN_EVENTS = 100

export interface Turns {
  /** Resolves when it is the environment's turn; at once while nobody else works. */
  take(environmentId: number, events: number): Promise<void> | undefined
}

interface Waiting {
  events: number
  begin(): void
}

export function createTurns(): Turns {
  /** In the order of their turns; a lane that had one goes to the end. */
  const lanes = new Map<number, Waiting[]>()
  /** Events that this turn of the loop has taken; null: nobody works. */
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
    take(environmentId, events) {
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
