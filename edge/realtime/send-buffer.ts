// Encodes packets and writes them to a socket, and cuts a socket for which more than 256 packets or 1 MiB wait (docs/api.md).

import type { ServerToClient } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { PushedFrame } from '../domain/bus.ts'
import type { GatewayMetrics } from './metrics.ts'
import type { Member, PushedPacket } from './presence.ts'

/** Bytes. A larger catch-up is a reset: the client reads pages, and one frame never fills the buffer. */
export const LARGEST_CATCH_UP = LIMITS.socketQueuedBytes / 2

export interface SendBuffer {
  /** Writes a packet; false when too much waited already: the socket is cut, and the client heals by `seq`. */
  send(member: Member, packet: string): boolean
  emit<E extends keyof ServerToClient>(member: Member, name: E, payload: Parameters<ServerToClient[E]>[0]): boolean
  /** The same bound for what Socket.IO writes itself (acknowledgements): false when the socket was cut. */
  hasRoom(member: Member): boolean
}

/** `runningNow`: milliseconds that this process ran (`lib/running-time.ts`). */
export function createSendBuffer(metrics: GatewayMetrics, runningNow: () => number): SendBuffer {
  function hasRoom(member: Member): boolean {
    if (member.gone) return false
    if (!isStuck(member, runningNow)) return true
    metrics.onCut('slow')
    member.gone = true
    // A close would wait for all that the client does not read.
    member.net.destroy()
    return false
  }

  function send(member: Member, packet: string): boolean {
    if (!hasRoom(member)) return false
    member.connection.write(packet, { compress: false })
    metrics.onFrame()
    return true
  }

  return { hasRoom, send, emit: (member, name, payload) => send(member, encodePacket(name, payload)) }
}

/** A commit may bring a thousand frames for one user in one turn of the loop: a client that reads is full for less than this. */
const FULL_FOR_MS = 200
/** Times the bound. */
const BURST = 8

/**
 * True when the buffer is full for longer than `FULL_FOR_MS`, or far beyond the bound. Asked before writing, because one large frame
 * on an idle socket is no sign of a slow client; time in which this process stood still does not count.
 */
function isStuck(member: Member, runningNow: () => number): boolean {
  const fullness = fullnessOf(member)
  if (fullness < 1) {
    member.fullSince = null
    return false
  }
  const now = runningNow()
  member.fullSince ??= now
  return fullness >= BURST || now - member.fullSince >= FULL_FOR_MS
}

/** @returns what waits as a share of what may wait */
function fullnessOf({ connection, net }: Member): number {
  const waiting = waitingPackets(connection)
  let bytes = net.writableLength
  for (const packet of waiting) bytes += packet.data?.length ?? 0
  return Math.max(waiting.length / LIMITS.socketQueuedPackets, bytes / LIMITS.socketQueuedBytes)
}

interface WaitingPacket {
  data?: { length: number }
}

/** Engine.IO keeps packets here while the transport has not taken the ones before; its types call the list private. */
function waitingPackets(connection: object): WaitingPacket[] {
  const list: unknown = Reflect.get(connection, 'writeBuffer')
  return Array.isArray(list) ? list : []
}

/** @returns whether the network has not taken everything yet */
export function hasWaiting({ connection, net }: Member): boolean {
  return net.writableLength > 0 || waitingPackets(connection).length > 0
}

/**
 * Encodes an event of the main namespace as one text, once for all sockets (docs/performance.md).
 * @returns The text that Socket.IO's own encoder makes of the event; `send-buffer.test.ts` compares the two.
 */
export function encodePacket<E extends keyof ServerToClient>(
  name: E,
  payload: Parameters<ServerToClient[E]>[0],
): string {
  return wrapPacket(name, JSON.stringify(payload))
}

/** Encodes an event whose payload is JSON already. */
function wrapPacket(name: keyof ServerToClient, json: string): string {
  return `2["${name}",${json}]`
}

/** @returns A packet that is encoded when the first socket needs it. */
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
