// A push as the bus brought it: its frame and packet are made once, when the first socket needs them.

import type { InboxFrame } from '../../contract/frames.ts'
import type { BusTopics } from '../domain/bus.ts'
import { frameOfPush } from '../domain/delivery/inbox-change.ts'
import type { InboxPush } from '../domain/plan.ts'
import { encodePacket } from './packet.ts'

export interface PushedFrame {
  push: InboxPush
  frame(): InboxFrame
  /** The whole packet. */
  packet(): string
}

export function toPushedFrame({ push, added }: BusTopics['inbox-pushed']): PushedFrame {
  let kept: InboxFrame | undefined
  let packet: string | undefined
  const frame = () => {
    kept ??= frameOfPush(push, added)
    return kept
  }
  return {
    push,
    frame,
    packet: () => {
      packet ??= encodePacket('inbox', frame())
      return packet
    },
  }
}
