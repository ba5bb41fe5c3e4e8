// What goes out to one socket, and the bound of what may wait for it (contract section 5: 256 packets, 1 MiB).

import type { ServerToClient } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Member } from './member.ts'
import type { GatewayMetrics } from './metrics.ts'
import { encodePacket } from './packet.ts'

/** Catching up with more than this is a reset: the client reads pages, and never meets the bound by one frame. */
export const LARGEST_CATCH_UP = LIMITS.socketQueuedBytes / 2

export interface Outbox {
  /** Gives a packet to the socket, unless too much waits for it already: then it is cut, and heals by `seq`. */
  send(member: Member, packet: string): boolean
  emit<E extends keyof ServerToClient>(member: Member, name: E, payload: Parameters<ServerToClient[E]>[0]): boolean
  /** The same bound for what is written elsewhere (acknowledgements): false when the socket was cut. */
  hasRoom(member: Member): boolean
}

/** `runningNow`: milliseconds that this process ran (`lib/running-time.ts`). */
export function createOutbox(metrics: GatewayMetrics, runningNow: () => number): Outbox {
  function hasRoom(member: Member): boolean {
    if (member.gone) return false
    if (!isStuck(member, runningNow)) return true
    metrics.onCut('slow')
    member.gone = true
    // Not a close: that would wait for all that the client does not read.
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

/** A commit may bring a thousand frames for one user in one turn of the loop: a client that reads is then full for a moment. */
const MOMENT_MS = 200
const BURST = 8

/**
 * Full for longer than a moment, or far beyond the bound. Asked before writing: a single large frame on an idle socket is no sign of
 * a slow client. Nor is it one that this process stood still for that moment, and took nothing from it.
 */
function isStuck(member: Member, runningNow: () => number): boolean {
  const fullness = fullnessOf(member)
  if (fullness < 1) {
    member.fullSince = null
    return false
  }
  const now = runningNow()
  member.fullSince ??= now
  return fullness >= BURST || now - member.fullSince >= MOMENT_MS
}

/** What waits, as a share of what may. */
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

/** True when something was not yet taken by the network. */
export function hasWaiting({ connection, net }: Member): boolean {
  return net.writableLength > 0 || waitingPackets(connection).length > 0
}
