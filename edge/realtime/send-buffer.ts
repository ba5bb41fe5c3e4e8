// Encodes packets and writes them to sockets. Destroys connections with over 256 packets or 1 MiB unsent (docs/api.md).

import type { ServerToClient } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { PushedFrame } from '../domain/bus.ts'
import type { GatewayMetrics } from './metrics.ts'
import type { Member, PushedPacket } from './presence.ts'

/** Bytes. A larger catch-up is sent as a reset, so that one frame never fills the buffer. */
export const LARGEST_CATCH_UP = LIMITS.socketQueuedBytes / 2

export interface SendBuffer {
  /** Writes a packet. @returns False when too much is unsent; the connection is destroyed, and its client catches up. */
  send(member: Member, packet: string): boolean
  /** Encodes and writes an event. @returns As `send`. */
  emit<E extends keyof ServerToClient>(member: Member, name: E, payload: Parameters<ServerToClient[E]>[0]): boolean
  /** Applies the same limit to acknowledgements, which Socket.IO writes. @returns False when the connection was destroyed. */
  hasCapacity(member: Member): boolean
}

/** @param runningNow Milliseconds that this process ran (`lib/running-time.ts`). */
export function createSendBuffer(metrics: GatewayMetrics, runningNow: () => number): SendBuffer {
  function hasCapacity(member: Member): boolean {
    if (member.gone) return false
    if (!isStuck(member, runningNow)) return true
    metrics.onCut('slow')
    member.gone = true
    // `close` would wait until the client reads everything.
    member.net.destroy()
    return false
  }

  function send(member: Member, packet: string): boolean {
    if (!hasCapacity(member)) return false
    member.connection.write(packet, { compress: false })
    metrics.onFrame()
    return true
  }

  return { hasCapacity, send, emit: (member, name, payload) => send(member, encodePacket(name, payload)) }
}

/** One commit may cause a thousand frames for a user. A client that reads them has a full buffer for less than this time. */
const FULL_FOR_MS = 200
/** Multiple of the limit at which the connection is destroyed at once. */
const MAX_FULLNESS = 8

/**
 * Returns whether the buffer has been full for `FULL_FOR_MS`, or is far beyond the limit. Called before a write, because one
 * large frame on an idle socket does not mean a slow client. Time in which this process did not run does not count.
 */
function isStuck(member: Member, runningNow: () => number): boolean {
  const fullness = fullnessOf(member)
  if (fullness < 1) {
    member.fullSince = null
    return false
  }
  const now = runningNow()
  member.fullSince ??= now
  return fullness >= MAX_FULLNESS || now - member.fullSince >= FULL_FOR_MS
}

/** @returns Unsent data as a share of the limit. */
function fullnessOf({ connection, net }: Member): number {
  const waiting = waitingPackets(connection)
  let bytes = net.writableLength
  for (const packet of waiting) bytes += packet.data?.length ?? 0
  return Math.max(waiting.length / LIMITS.socketQueuedPackets, bytes / LIMITS.socketQueuedBytes)
}

interface WaitingPacket {
  data?: { length: number }
}

/** Reads the packets that Engine.IO has not yet passed to the transport; its types declare the list as private. */
function waitingPackets(connection: object): WaitingPacket[] {
  const list: unknown = Reflect.get(connection, 'writeBuffer')
  return Array.isArray(list) ? list : []
}

/** @returns Whether data is still unsent. */
export function hasUnsentData({ connection, net }: Member): boolean {
  return net.writableLength > 0 || waitingPackets(connection).length > 0
}

/**
 * Encodes an event of the main namespace as one text, once for all sockets (docs/performance.md).
 * @returns The same text as Socket.IO's encoder returns; `send-buffer.test.ts` compares the two.
 */
export function encodePacket<E extends keyof ServerToClient>(
  name: E,
  payload: Parameters<ServerToClient[E]>[0],
): string {
  return wrapPacket(name, JSON.stringify(payload))
}

/** Encodes an event whose payload is already JSON. */
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
