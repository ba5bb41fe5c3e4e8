// Publishes changes that other processes (nodes, the command line) have written to the store on the bus of this node.
// Keys and sessions end on all nodes within a second by this alone; the bus between nodes only makes it faster.

import type { Core } from '../../domain/core.ts'
import type { Notice, Notices } from '../../domain/notice.ts'
import { ApiError } from '../../lib/api-error.ts'
import { withDeadline } from '../../lib/deadline.ts'

/** Milliseconds for which the last read is recent enough to rely on. */
const CONFIRMED_MS = 800
const CONFIRM_LIMIT_MS = 1000
/** Numbers are assigned before the commit: the notice of a missing number may still appear for this time. */
const GAP_MS = 10_000
/** Missing numbers before a read that are checked at most. */
const LOOK_BACK = 200

export interface RelayNotices {
  /**
   * Publishes new notices. The first turn publishes none, because this process reads the current state itself.
   * @returns Their number.
   */
  turn(): Promise<number>
  /** Resolves when all notices up to less than a second ago are published. @throws ApiError `service/unavailable`. */
  confirm(): Promise<void>
}

type Taken = Pick<Core, 'notices' | 'bus'> & {
  /** Milliseconds of a clock that never steps back. */
  monotonicNow(): number
}

/** @returns The relay; concurrent turns share one read. */
export function createRelayNotices({ notices, bus, monotonicNow }: Taken): RelayNotices {
  const reader = createNoticeReader(notices, monotonicNow)
  let confirmedAt = Number.NEGATIVE_INFINITY
  let running: Promise<number> | undefined

  async function publishNew(): Promise<number> {
    const unpublished = await reader.listNew()
    for (const notice of unpublished) publish(bus, notice)
    return unpublished.length
  }

  function turn(): Promise<number> {
    if (running !== undefined) return running
    const startedAt = monotonicNow()
    running = publishNew()
      .then((count) => {
        confirmedAt = startedAt
        return count
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  const isConfirmed = (withinMs: number) => monotonicNow() - confirmedAt < withinMs
  const timeoutError = () => new Error('read of notices timed out')

  return {
    turn,
    async confirm() {
      if (isConfirmed(CONFIRMED_MS)) return
      try {
        await withDeadline(turn(), CONFIRM_LIMIT_MS, timeoutError)
        // Reads again when this process did not run for a while, because the read had begun too long ago.
        if (!isConfirmed(CONFIRM_LIMIT_MS)) await withDeadline(turn(), CONFIRM_LIMIT_MS, timeoutError)
      } catch (cause) {
        const message = 'Keys and sessions cannot be confirmed right now.'
        throw new ApiError('service/unavailable', { message }, { cause })
      }
    },
  }
}

/** Reads each notice once, also one that is committed after a notice with a higher number. */
function createNoticeReader(notices: Notices, monotonicNow: () => number) {
  let position: number | undefined
  /** Missing numbers below the position, and the time since which they are missing. */
  const gaps = new Map<number, number>()

  /** Advances the position or closes a gap. @returns False when the notice was read before. */
  function advance(number: number, last: number): boolean {
    if (number <= last) return gaps.delete(number)
    const now = monotonicNow()
    for (let gap = Math.max(last + 1, number - LOOK_BACK); gap < number; gap++) gaps.set(gap, now)
    position = number
    return true
  }

  async function listNew(): Promise<Notice[]> {
    if (position === undefined) {
      const from = Math.max(0, (await notices.lastNumber()) - LOOK_BACK)
      position = from
      for (const { number } of await notices.listAfter(from)) advance(number, position)
      return []
    }
    const expiredAt = monotonicNow() - GAP_MS
    for (const [number, since] of gaps) if (since < expiredAt) gaps.delete(number)
    const from = Math.min(position, ...[...gaps.keys()].map((gap) => gap - 1))
    const rows = await notices.listAfter(from)
    return rows.filter(({ number }) => advance(number, position ?? from)).map(({ notice }) => notice)
  }
  return { listNew }
}

/** Publishes a notice. The branches are equal, but each has one type of payload. */
function publish(bus: Taken['bus'], notice: Notice): void {
  if (notice.topic === 'sessions-ended') bus.publishHere(notice.topic, notice.payload)
  else bus.publishHere(notice.topic, notice.payload)
}
