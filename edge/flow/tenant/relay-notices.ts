// Tells this node what others have changed in the store: the command line and other nodes. That keys and
// sessions end everywhere within a second (section 2) rests on this alone; the bus between nodes only makes it quicker.

import type { Bus } from '../../domain/bus.ts'
import type { Notice, Notices } from '../../domain/notice.ts'
import { ApiError } from '../../lib/api-error.ts'
import { withDeadline } from '../../lib/deadline.ts'

/** What was heard for the last time longer ago than this is heard anew before anyone relies on it. */
const CONFIRMED_MS = 800
const CONFIRM_LIMIT_MS = 1000
/** Numbers are given before the commit: one that is missing may still come for so long. */
const GAP_MS = 10_000
/** How many such are looked for at most. */
const LOOK_BACK = 200

export interface RelayNotices {
  /** Hears what is new; answers how many it told. The first turn tells nothing: what was before it, this process reads itself. */
  turn(): Promise<number>
  /** Resolves when everything up to less than a second ago has been heard. Throws `service/unavailable`. */
  confirm(): Promise<void>
}

export interface RelayNoticesDeps {
  notices: Notices
  bus: Pick<Bus, 'publishHere'>
  /** Milliseconds of a clock that never steps back. */
  monotonicNow(): number
}

export function createRelayNotices({ notices, bus, monotonicNow }: RelayNoticesDeps): RelayNotices {
  const heard = createHeard(notices, monotonicNow)
  let confirmedAt = Number.NEGATIVE_INFINITY
  let running: Promise<number> | undefined

  async function hear(): Promise<number> {
    const news = await heard.listNew()
    for (const notice of news) tell(bus, notice)
    return news.length
  }

  function turn(): Promise<number> {
    if (running !== undefined) return running
    const beganAt = monotonicNow()
    running = hear()
      .then((told) => {
        confirmedAt = beganAt
        return told
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  const isConfirmed = (withinMs: number) => monotonicNow() - confirmedAt < withinMs
  const late = () => new Error('The store did not answer in time.')

  return {
    turn,
    async confirm() {
      if (isConfirmed(CONFIRMED_MS)) return
      try {
        await withDeadline(turn(), CONFIRM_LIMIT_MS, late)
        // One that had begun long ago says little: a node that stood still meanwhile asks once more.
        if (!isConfirmed(CONFIRM_LIMIT_MS)) await withDeadline(turn(), CONFIRM_LIMIT_MS, late)
      } catch (cause) {
        const message = 'Keys and sessions cannot be confirmed right now.'
        throw new ApiError('service/unavailable', { message }, { cause })
      }
    },
  }
}

/** Each notice once, also one whose number was given before, and committed after, that of another. */
function createHeard(notices: Notices, monotonicNow: () => number) {
  let position: number | undefined
  /** Numbers below the position that nobody has seen, and since when. */
  const gaps = new Map<number, number>()

  /** False when it was taken before. */
  function take(number: number, last: number): boolean {
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
      for (const { number } of await notices.listAfter(from)) take(number, position)
      return []
    }
    const longAgo = monotonicNow() - GAP_MS
    for (const [number, since] of gaps) if (since < longAgo) gaps.delete(number)
    const from = Math.min(position, ...[...gaps.keys()].map((gap) => gap - 1))
    const rows = await notices.listAfter(from)
    return rows.filter(({ number }) => take(number, position ?? from)).map(({ notice }) => notice)
  }
  return { listNew }
}

function tell(bus: RelayNoticesDeps['bus'], notice: Notice): void {
  if (notice.topic === 'sessions-ended') bus.publishHere(notice.topic, notice.payload)
  else bus.publishHere(notice.topic, notice.payload)
}
