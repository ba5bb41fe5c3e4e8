// Takes the place of socket.io-parser under the realtime client (decision 0070): packets of Socket.IO 5 as text. The service sends no binary ones (contract section 5).

import { Emitter } from './emitter.ts'

/** Named as the client imports it. */
export const PacketType = {
  CONNECT: 0,
  DISCONNECT: 1,
  EVENT: 2,
  ACK: 3,
  CONNECT_ERROR: 4,
  BINARY_EVENT: 5,
  BINARY_ACK: 6,
} as const

export interface Packet {
  type: number
  nsp: string
  data?: unknown
  id?: number
}

/** Names that the client emits by itself: a server that sends one is not to be believed. */
const RESERVED = ['connect', 'connect_error', 'disconnect', 'disconnecting', 'newListener', 'removeListener']
const PACKET = /^([0-4])(?:(\/[^,]*),?)?(\d*)(.*)$/s

export class Encoder {
  encode({ type, nsp, data, id }: Packet): string[] {
    return [`${type}${nsp === '/' ? '' : `${nsp},`}${id ?? ''}${data === undefined ? '' : JSON.stringify(data)}`]
  }
}

/** Emits `decoded`. */
export class Decoder extends Emitter {
  /** Throws when it is not a packet; the client then closes the line. */
  add(text: string): void {
    this.emitReserved('decoded', parsePacket(text))
  }

  destroy(): void {}
}

/** Throws when the text is not a packet. */
export function parsePacket(text: string): Packet {
  const [, digit, nsp = '/', id, json] = PACKET.exec(text) ?? []
  const data: unknown = json ? JSON.parse(json) : undefined
  const packet: Packet = { type: Number(digit), nsp, data }
  if (id) packet.id = Number(id)
  if (!isValid(packet)) throw new Error('not a packet')
  return packet
}

function isValid({ type, data }: Packet): boolean {
  const isRecord = typeof data === 'object' && data !== null && !Array.isArray(data)
  switch (type) {
    case PacketType.CONNECT:
      return isRecord || data === undefined
    case PacketType.DISCONNECT:
      return data === undefined
    case PacketType.CONNECT_ERROR:
      return isRecord
    case PacketType.EVENT:
      return Array.isArray(data) && typeof data[0] === 'string' && !RESERVED.includes(data[0])
    default:
      return type === PacketType.ACK && Array.isArray(data)
  }
}
