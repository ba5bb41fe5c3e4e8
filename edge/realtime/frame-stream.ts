// Sends each socket its frames: every seq once and in order, also while the store is read (docs/architecture.md).

import type { InboxChanges } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { BusTopics } from '../domain/bus.ts'
import type { Core } from '../domain/core.ts'
import { cutFrame, frameOfRead, type ReadChanges, resetFrame, toChanges } from '../domain/delivery/inbox-change.ts'
import { createCatchUp } from './catch-up.ts'
import type { GatewayMetrics } from './metrics.ts'
import type { Member, Presence, PushedPacket } from './presence.ts'
import { encodePacket, LARGEST_CATCH_UP, type SendBuffer, toPushedPacket } from './send-buffer.ts'

export interface FrameStream {
  /**
   * Sends the first frame: the changes after `since`. The member must be in the presence and marked as `reading`, so that
   * no push is lost meanwhile. Rejects when the store cannot be read.
   */
  begin(member: Member, since: number | null, epoch: string | null): Promise<void>
  /** Sends a push to all sockets of its user. */
  push(pushed: BusTopics['inbox-pushed']): void
  /** @returns The answer to `sync`; pushes that it covers are not sent again. */
  sync(member: Member, since: number): Promise<InboxChanges>
}

/** @returns The frames of all sockets of this node. */
export function createFrameStream(
  deps: Pick<Core, 'inboxes' | 'catchUps'> & {
    presence: Presence
    buffer: SendBuffer
    metrics: GatewayMetrics
    /** Called when the missed changes of a member cannot be read. */
    onFault(member: Member, error: unknown): void
  },
): FrameStream {
  const { presence, metrics } = deps
  const sender = createFrameSender(deps.buffer)
  const read = createCatchUp(deps)

  /** Sends the held pushes, and reads missing changes before them from the store. Holds new pushes until it is done. */
  async function drain(member: Member): Promise<void> {
    while (!member.gone && !sender.sendHeld(member)) {
      const since = member.seq
      const missed = await read({ ...ownerOf(member), since, epoch: null })
      countHeal(metrics, missed)
      const [first] = member.held
      if (missed.reset || missed.head.seq > since) sender.sendFrame(member, frameOfRead(missed, since))
      // The store has no such changes (the inbox was erased): the client must read the pages again.
      else if (first !== undefined) sender.sendFrame(member, resetFrame(first.push.frame()))
    }
    member.reading = false
  }

  /** Waits one turn of the event loop, because within a turn two commits may be published in the wrong order. */
  function drainLater(member: Member): void {
    member.reading = true
    setImmediate(() => drain(member).catch((error) => deps.onFault(member, error)))
  }

  return {
    async begin(member, since, epoch) {
      const missed = await read({ ...ownerOf(member), since, epoch })
      if (since === null) sender.sendFrame(member, resetFrame(missed.head))
      else {
        countHeal(metrics, missed)
        sender.sendFrame(member, frameOfRead(missed, since))
      }
      await drain(member)
    },

    push(pushed) {
      const members = presence.ofUser(pushed.userNo)
      if (members === undefined) return
      const packet = toPushedPacket(pushed)
      for (const member of members) {
        if (member.reading) sender.hold(member, packet)
        else if (!sender.sendPush(member, packet)) {
          sender.hold(member, packet)
          drainLater(member)
        }
      }
    },

    async sync(member, since) {
      const missed = await read({ ...ownerOf(member), since, epoch: null })
      countHeal(metrics, missed)
      const answer = toChanges(missed)
      member.seq = Math.max(member.seq, missed.head.seq)
      return answer.changes.length > 1 && JSON.stringify(answer).length > LARGEST_CATCH_UP
        ? { ...answer, changes: [], reset: true }
        : answer
    },
  }
}

const ownerOf = ({ session: { environmentId, userNo } }: Member) => ({ environmentId, userNo })

function countHeal(metrics: GatewayMetrics, { reset, changes }: ReadChanges): void {
  metrics.onHeal(reset ? 'reset' : changes.length > 0 ? 'changes' : 'current')
}

/** Sends frames to one socket: each begins where the one before ended, and nothing is sent twice. */
interface FrameSender {
  /** Sends a frame made for this socket; a frame that is too large is sent as a reset. */
  sendFrame(member: Member, frame: InboxFrame): void
  /** Sends the changes that the socket does not have. @returns False when changes before them are missing. */
  sendPush(member: Member, pushed: PushedPacket): boolean
  /** Holds a push for later; beyond a limit the oldest is dropped, because the change log has it. */
  hold(member: Member, pushed: PushedPacket): void
  /** Sends held pushes in order. @returns False when changes before the rest are missing. */
  sendHeld(member: Member): boolean
}

function createFrameSender(buffer: SendBuffer): FrameSender {
  function sendFrame(member: Member, frame: InboxFrame): void {
    const text = encodePacket('inbox', frame)
    const isTooLarge = text.length > LARGEST_CATCH_UP && frame.changes.length > 1
    const sent = isTooLarge ? encodePacket('inbox', resetFrame(frame)) : text
    if (buffer.send(member, sent)) member.seq = frame.seq
  }

  function sendPush(member: Member, pushed: PushedPacket): boolean {
    const { from, seq, reset } = pushed.push
    if (seq <= member.seq) return true
    if (from > member.seq && !reset) return false
    if (from === member.seq || reset) {
      if (buffer.send(member, pushed.packet())) member.seq = seq
    } else sendFrame(member, cutFrame(pushed.push.frame(), member.seq))
    return true
  }

  return {
    sendFrame,
    sendPush,
    hold(member, pushed) {
      if (member.held.length >= LIMITS.socketQueuedPackets) member.held.shift()
      member.held.push(pushed)
    },
    sendHeld(member) {
      member.held.sort((a, b) => a.push.from - b.push.from)
      while (member.held[0] !== undefined) {
        if (!sendPush(member, member.held[0])) return false
        member.held.shift()
      }
      return true
    },
  }
}

type Pushed = BusTopics['inbox-pushed']

/** Sockets written in one turn of the event loop: about 4 ms. */
const SOCKETS_PER_TURN = 250
/** Beyond this number the oldest waiting push is sent at once, so that memory stays bounded. */
const MAX_WAITING = 4000

export interface PushSchedulerDeps {
  presence: Pick<Presence, 'ofUser'>
  deliver(pushed: Pushed): void
}

/**
 * Spreads pushes over turns of the event loop, in order, so that a large commit does not block other work.
 * @returns A function that takes the next push.
 */
export function createPushScheduler({ presence, deliver }: PushSchedulerDeps): (pushed: Pushed) => void {
  let waiting: Pushed[] = []
  /** Sockets written in this turn. */
  let written = 0
  let isScheduled = false

  function deliverNow(pushed: Pushed): void {
    written += presence.ofUser(pushed.userNo)?.size ?? 0
    deliver(pushed)
  }

  function deliverWaiting(): void {
    isScheduled = false
    written = 0
    let next = 0
    for (; next < waiting.length && written < SOCKETS_PER_TURN; next += 1) deliverNow(waiting[next] as Pushed)
    waiting = waiting.slice(next)
    if (written > 0) schedule()
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(deliverWaiting)
  }

  return function push(pushed) {
    // Most commits of a node concern users without a socket here.
    if (presence.ofUser(pushed.userNo) === undefined) return
    if (waiting.length === 0 && written < SOCKETS_PER_TURN) deliverNow(pushed)
    else {
      waiting.push(pushed)
      if (waiting.length > MAX_WAITING) deliverNow(waiting.shift() as Pushed)
    }
    schedule()
  }
}
