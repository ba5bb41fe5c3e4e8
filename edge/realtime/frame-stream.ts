// Sends each socket its frames: every seq once and in order, whatever arrives while the store is read (docs/architecture.md).

import type { InboxChanges } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { BusTopics } from '../domain/bus.ts'
import { cutFrame, frameOfRead, type ReadChanges, resetFrame, toChanges } from '../domain/delivery/inbox-change.ts'
import { type CatchUpDeps, createCatchUp } from './catch-up.ts'
import type { GatewayMetrics } from './metrics.ts'
import type { Member, Presence, PushedPacket } from './presence.ts'
import { encodePacket, LARGEST_CATCH_UP, type SendBuffer, toPushedPacket } from './send-buffer.ts'

export interface FrameStream {
  /**
   * The first frame: what came after `since`. The member is in the presence by then and marked as `reading`, so that
   * nothing is lost between this read and the first push. Throws when the store cannot be read.
   */
  begin(member: Member, since: number | null, epoch: string | null): Promise<void>
  push(pushed: BusTopics['inbox-pushed']): void
  /** The answer to `sync`; pushes that it covers are not sent again. */
  sync(member: Member, since: number): Promise<InboxChanges>
}

export interface FrameStreamDeps extends CatchUpDeps {
  presence: Presence
  buffer: SendBuffer
  metrics: GatewayMetrics
  /** Called for a member that could not be brought up to date. */
  onFault(member: Member, error: unknown): void
}

export function createFrameStream(deps: FrameStreamDeps): FrameStream {
  const { presence, metrics } = deps
  const chain = createChain(deps.buffer)
  const read = createCatchUp(deps)

  /** Sends what is held, reading from the store what is missing before it. Pushes are held until it is done. */
  async function drain(member: Member): Promise<void> {
    while (!member.gone && !chain.sendHeld(member)) {
      const since = member.seq
      const missed = await read({ userNo: member.session.userNo, since, epoch: null })
      countHeal(metrics, missed)
      const [first] = member.held
      if (missed.reset || missed.head.seq > since) chain.sendFrame(member, frameOfRead(missed, since))
      // The store knows of nothing that was missed (the inbox was erased): the client reads anew.
      else if (first !== undefined) chain.sendFrame(member, resetFrame(first.push.frame()))
    }
    member.reading = false
  }

  /** Two commits may be published in the wrong order within one turn of the loop: the missing one gets a turn to arrive. */
  function drainLater(member: Member): void {
    member.reading = true
    setImmediate(() => drain(member).catch((error) => deps.onFault(member, error)))
  }

  return {
    async begin(member, since, epoch) {
      const { userNo } = member.session
      const missed = await read({ userNo, since, epoch })
      if (since === null) chain.sendFrame(member, resetFrame(missed.head))
      else {
        countHeal(metrics, missed)
        chain.sendFrame(member, frameOfRead(missed, since))
      }
      await drain(member)
    },

    push(pushed) {
      const members = presence.ofUser(pushed.userNo)
      if (members === undefined) return
      const packet = toPushedPacket(pushed)
      for (const member of members) {
        if (member.reading) chain.hold(member, packet)
        else if (!chain.sendPush(member, packet)) {
          chain.hold(member, packet)
          drainLater(member)
        }
      }
    },

    async sync(member, since) {
      const missed = await read({ userNo: member.session.userNo, since, epoch: null })
      countHeal(metrics, missed)
      const answer = toChanges(missed)
      member.seq = Math.max(member.seq, missed.head.seq)
      return answer.changes.length > 1 && JSON.stringify(answer).length > LARGEST_CATCH_UP
        ? { ...answer, changes: [], reset: true }
        : answer
    },
  }
}

function countHeal(metrics: GatewayMetrics, { reset, changes }: ReadChanges): void {
  metrics.onHeal(reset ? 'reset' : changes.length > 0 ? 'changes' : 'current')
}

/** The frames of one socket: each begins where the one before ended, and nothing is sent twice. */
interface Chain {
  /** Sends a frame made for this socket alone; what is too large becomes a reset. */
  sendFrame(member: Member, frame: InboxFrame): void
  /** Sends what continues the chain, drops what it has; false when something before it is missing. */
  sendPush(member: Member, pushed: PushedPacket): boolean
  /** Keeps a push for later; more than a bound is not kept, because the log has it all. */
  hold(member: Member, pushed: PushedPacket): void
  /** Sends all held pushes that continue the chain; false when there is a gap before the others. */
  sendHeld(member: Member): boolean
}

function createChain(buffer: SendBuffer): Chain {
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

/** Sockets that are written to in one turn of the loop: about 4 ms. */
const SOCKETS_PER_TURN = 250
/** With more pushes waiting than this they are sent as they come, so that memory stays bounded. */
const MAX_WAITING = 4000

export interface PushPaceDeps {
  presence: Pick<Presence, 'ofUser'>
  deliver(pushed: Pushed): void
}

/**
 * Spreads pushes over turns of the loop, in their order: a broadcast, a large commit or a burst of another node is written to some
 * sockets, then other work has its turn.
 *
 * @returns takes the next push
 */
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
    for (; next < waiting.length && written < SOCKETS_PER_TURN; next += 1) give(waiting[next] as Pushed)
    waiting = waiting.slice(next)
    if (written > 0) arm()
  }

  function arm(): void {
    if (isArmed) return
    isArmed = true
    setImmediate(turn)
  }

  return function push(pushed) {
    // Most of what a node commits is for users without a socket here.
    if (presence.ofUser(pushed.userNo) === undefined) return
    if (waiting.length === 0 && written < SOCKETS_PER_TURN) give(pushed)
    else {
      waiting.push(pushed)
      if (waiting.length > MAX_WAITING) give(waiting.shift() as Pushed)
    }
    arm()
  }
}
