// One socket's chain of frames: each begins where the one before ended, and nothing is sent twice (contract section 5).

import type { InboxFrame } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import { cutFrame, resetFrame } from '../domain/delivery/inbox-change.ts'
import type { Member } from './member.ts'
import { LARGEST_CATCH_UP, type Outbox } from './outbox.ts'
import { encodePacket } from './packet.ts'
import type { PushedPacket } from './pushed-packet.ts'

export interface Chain {
  /** Sends a frame made for this socket alone; what is too large becomes a reset. */
  sendFrame(member: Member, frame: InboxFrame): void
  /** Sends what continues the chain, drops what it has; false when something before it is missing. */
  sendPush(member: Member, pushed: PushedPacket): boolean
  /** Keeps a push for later; more than a bound is not kept, because the log has it all. */
  hold(member: Member, pushed: PushedPacket): void
  /** Sends all held pushes that continue the chain; false when there is a gap before the others. */
  sendHeld(member: Member): boolean
}

export function createChain(outbox: Outbox): Chain {
  function sendFrame(member: Member, frame: InboxFrame): void {
    const text = encodePacket('inbox', frame)
    const isTooLarge = text.length > LARGEST_CATCH_UP && frame.changes.length > 1
    const sent = isTooLarge ? encodePacket('inbox', resetFrame(frame)) : text
    if (outbox.send(member, sent)) member.seq = frame.seq
  }

  function sendPush(member: Member, pushed: PushedPacket): boolean {
    const { from, seq, reset } = pushed.push
    if (seq <= member.seq) return true
    if (from > member.seq && !reset) return false
    if (from === member.seq || reset) {
      if (outbox.send(member, pushed.packet())) member.seq = seq
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
