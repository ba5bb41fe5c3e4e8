// Where this client stands in the user's log of changes (contract section 5, "Realtime"). Pure: frames in, a verdict out.

import type { InboxChange, InboxChanges, InboxHead } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'

export type Verdict =
  /** These are new, in order. */
  | { outcome: 'applied'; changes: InboxChange[] }
  /** Nothing new. */
  | { outcome: 'old' }
  /** Something between is missing: wait 200 ms for it, then ask. */
  | { outcome: 'gap' }
  /** Another epoch, or too far behind: read the pages anew. */
  | { outcome: 'reset' }

export interface Counts {
  unread: number
  unopened: number
}

export interface ChangeLog {
  readonly epoch: string
  /** The last change known; it advances by frames and `changes` alone. */
  readonly seq: number
  readonly counts: Counts
  take(frame: InboxFrame): Verdict
  /** True while frames are held back behind a gap. */
  hasGap(): boolean
  /** Counts of any other answer. False when its epoch is another one: then ask for changes. */
  takeHead(head: InboxHead): boolean
}

/** Frames held behind a gap; more are dropped, as the question that closes the gap brings them again. */
const HELD = 100

/** Starts at `head`; `changes` follow from there. */
export function createChangeLog(head: InboxHead): ChangeLog {
  let { epoch, seq } = head
  let counts: Counts = { unread: head.unread, unopened: head.unopened }
  // Counts come from answers too, so they may be ahead of `seq`: older frames must not bring back older counts.
  let countsSeq = head.seq
  let held: InboxFrame[] = []

  const takeCounts = (from: InboxHead): void => {
    if (from.seq < countsSeq) return
    countsSeq = from.seq
    counts = { unread: Math.max(0, from.unread), unopened: Math.max(0, from.unopened) }
  }

  const advance = (frame: InboxFrame): InboxChange[] => {
    const changes = frame.changes.filter((change) => change.seq > seq)
    seq = frame.seq
    takeCounts(frame)
    return changes
  }

  return {
    get epoch() {
      return epoch
    },
    get seq() {
      return seq
    },
    get counts() {
      return counts
    },
    hasGap: () => held.length > 0,
    takeHead: (from) => {
      if (from.epoch !== epoch) return false
      takeCounts(from)
      return true
    },
    take: (frame) => {
      if (frame.reset === true || frame.epoch !== epoch) {
        held = []
        epoch = frame.epoch
        seq = countsSeq = frame.seq
        takeCounts(frame)
        return { outcome: 'reset' }
      }
      if (frame.seq <= seq) {
        if (frame.seq === seq) takeCounts(frame)
        return { outcome: 'old' }
      }
      if (frame.from > seq) {
        if (held.length < HELD) held.push(frame)
        return { outcome: 'gap' }
      }
      const changes = advance(frame)
      held.sort((a, b) => a.from - b.from)
      for (const next of held) if (next.from <= seq && next.seq > seq) changes.push(...advance(next))
      held = held.filter((next) => next.seq > seq)
      return { outcome: 'applied', changes }
    },
  }
}

/** An answer of `changes` or `sync` as the frame that it amounts to. */
export function toFrame(since: number, answer: InboxChanges): InboxFrame {
  return { ...answer, from: answer.reset ? answer.seq : Math.min(since, answer.seq) }
}
