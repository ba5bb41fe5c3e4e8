// Where this client stands in the user's log of changes. Pure: frames in, a verdict out.

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
  /** What was taken after `since`, as far back as it is still known: the frame may begin later. */
  frameSince(since: number): InboxFrame
  /** The last changes taken, oldest first. */
  readonly changes: InboxChange[]
  /** True while frames are held back behind a gap. */
  hasGap(): boolean
  /** Counts of any other answer. False when its epoch is another one: then ask for changes. */
  takeHead(head: InboxHead): boolean
}

/** Frames held behind a gap; more are dropped, as the question that closes the gap brings them again. */
const HELD = 100

/** Changes that are kept for other tabs of this browser. */
const KEPT = 100

/** Starts at `head`; `kept` are the changes before it, as far as they are known. */
export function createChangeLog(head: InboxHead, kept: InboxChange[] = []): ChangeLog {
  let { epoch, seq } = head
  let counts: Counts = { unread: head.unread, unopened: head.unopened }
  // Counts come from answers too, so they may be ahead of `seq`: older frames must not bring back older counts.
  let countsSeq = head.seq
  let held: InboxFrame[] = []
  let changes = kept
  /** The seq before the first of `changes`. */
  let floor = kept[0] === undefined ? seq : kept[0].seq - 1

  const takeCounts = (from: InboxHead): void => {
    if (from.seq < countsSeq) return
    countsSeq = from.seq
    counts = { unread: Math.max(0, from.unread), unopened: Math.max(0, from.unopened) }
  }

  const advance = (frame: InboxFrame): InboxChange[] => {
    const fresh = frame.changes.filter((change) => change.seq > seq)
    seq = frame.seq
    takeCounts(frame)
    changes = [...changes, ...fresh]
    for (const old of changes.splice(0, changes.length - KEPT)) floor = old.seq
    return fresh
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
    get changes() {
      return changes
    },
    frameSince: (since) => {
      const from = Math.min(seq, Math.max(since, floor))
      return { epoch, seq, ...counts, from, changes: changes.filter((change) => change.seq > from) }
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
        changes = []
        epoch = frame.epoch
        seq = countsSeq = floor = frame.seq
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
      const fresh = advance(frame)
      held.sort((a, b) => a.from - b.from)
      for (const next of held) if (next.from <= seq && next.seq > seq) fresh.push(...advance(next))
      held = held.filter((next) => next.seq > seq)
      return { outcome: 'applied', changes: fresh }
    },
  }
}

/** An answer of `changes` or `sync` as the frame that it amounts to. */
export function toFrame(since: number, answer: InboxChanges): InboxFrame {
  return { ...answer, from: answer.reset ? answer.seq : Math.min(since, answer.seq) }
}
