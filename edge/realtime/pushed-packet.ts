// A push as the bus brought it, and its packet: made once for all sockets, when the first one needs it.

import type { PushedFrame } from '../domain/delivery/pushed-frame.ts'
import { wrapPacket } from './packet.ts'

export interface PushedPacket {
  push: PushedFrame
  packet(): string
}

export function toPushedPacket(push: PushedFrame): PushedPacket {
  let packet: string | undefined
  return {
    push,
    packet: () => {
      packet ??= wrapPacket('inbox', push.text())
      return packet
    },
  }
}
