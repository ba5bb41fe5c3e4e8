// Pushes in turns of the loop: a broadcast, a large commit or a burst from another node is written to so many sockets, then others
// have their turn (issue part 3, "Realtime at scale"). Each is in its order.

import type { BusTopics } from '../domain/bus.ts'
import type { Presence } from './presence.ts'

type Pushed = BusTopics['inbox-pushed']

/** Sockets that are written to in one turn: some 4 ms. */
const SOCKETS_A_TURN = 250
/** With more than this waiting the loop has no idle time to give: they go out as they come, and memory stays bounded. */
const MOST_WAITING = 4000

export interface PushPaceDeps {
  presence: Pick<Presence, 'ofUser'>
  deliver(pushed: Pushed): void
}

export function createPushPace({ presence, deliver }: PushPaceDeps): (pushed: Pushed) => void {
  let waiting: Pushed[] = []
  /** Sockets that were written to in this turn. */
  let written = 0
  let isArmed = false

  function give(pushed: Pushed): void {
    written += presence.ofUser(pushed.userNo)?.size ?? 0
    deliver(pushed)
  }

  function turn(): void {
    isArmed = false
    written = 0
    let next = 0
    for (; next < waiting.length && written < SOCKETS_A_TURN; next += 1) give(waiting[next] as Pushed)
    waiting = waiting.slice(next)
    if (written > 0) arm()
  }

  function arm(): void {
    if (isArmed) return
    isArmed = true
    setImmediate(turn)
  }

  return function push(pushed) {
    // Nobody here is to hear it: most of what a node commits.
    if (presence.ofUser(pushed.userNo) === undefined) return
    if (waiting.length === 0 && written < SOCKETS_A_TURN) give(pushed)
    else {
      waiting.push(pushed)
      if (waiting.length > MOST_WAITING) give(waiting.shift() as Pushed)
    }
    arm()
  }
}
