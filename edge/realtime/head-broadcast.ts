// Sends connected users the head of their inbox every 25 s, so that clients notice a lost push. Sends it sooner when the bus
// reports lost pushes, and every 3 s while other nodes are unreachable.

import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '../../contract/limits.ts'
import type { Core } from '../domain/core.ts'
import { headFrame } from '../domain/delivery/inbox-change.ts'
import { logFault } from '../lib/log.ts'
import type { Presence } from './presence.ts'
import { encodePacket, type SendBuffer } from './send-buffer.ts'

/** Users of one query, served in one turn of the event loop. */
const SLICE = 200
/** Pause between two slices. */
const PAUSE_MS = 5
/** Time between two rounds to users that are behind, while pushes of other nodes do not arrive. */
const BUS_DOWN_EVERY_MS = 3000
/** Time between two checks whether a round is due. */
const CHECK_MS = 500

/** `behind`: only sockets whose position is before the head. */
export type Audience = 'all' | 'behind'

/**
 * Sends heads with one query per slice, and encodes the packet of each user once.
 * @param userNos Default: all connected users.
 */
export async function broadcastHeads(
  {
    inboxes,
    presence,
    buffer,
  }: Pick<Core, 'inboxes'> & {
    presence: Presence
    buffer: SendBuffer
  },
  audience: Audience,
  userNos = presence.userNos(),
): Promise<void> {
  for (let at = 0; at < userNos.length; at += SLICE) {
    if (at > 0) await delay(PAUSE_MS)
    const here = userNos.slice(at, at + SLICE).flatMap((userNo) => [...(presence.ofUser(userNo) ?? [])].slice(0, 1))
    const heads = await inboxes.heads(here.map(({ session }) => session))
    for (const [userNo, head] of heads) {
      let packet: string | undefined
      for (const member of presence.ofUser(userNo) ?? []) {
        // A socket that has newer frames by now, or is reading, needs no older head.
        if (member.reading || member.seq > head.seq || (audience === 'behind' && member.seq === head.seq)) continue
        packet ??= encodePacket('inbox', headFrame(head))
        buffer.send(member, packet)
      }
    }
  }
}

/** Starts the rounds. @returns A function that stops them. */
export function startHeadBroadcast(
  deps: Pick<Core, 'bus' | 'log' | 'inboxes'> & {
    /** Milliseconds between two rounds to all users. For tests. */
    everyMs?: number | undefined
    presence: Presence
    buffer: SendBuffer
  },
): () => void {
  const { bus, log, everyMs = LIMITS.headsEveryMs } = deps
  let allAt = performance.now()
  let lastAt = allAt
  /** Pushes were lost, and no round has succeeded since. */
  let hasLostPushes = false
  let isRunning = false

  function audienceNow(): Audience | undefined {
    const now = performance.now()
    if (now - allAt >= everyMs) return 'all'
    return hasLostPushes || (!bus.isUp() && now - lastAt >= BUS_DOWN_EVERY_MS) ? 'behind' : undefined
  }

  async function round(): Promise<void> {
    const audience = audienceNow()
    if (isRunning || audience === undefined) return
    isRunning = true
    lastAt = performance.now()
    if (audience === 'all') allAt = lastAt
    const hadLostPushes = hasLostPushes
    hasLostPushes = false
    try {
      await broadcastHeads(deps, audience)
    } catch (error) {
      hasLostPushes = hadLostPushes
      logFault(log, 'head broadcast failed', { error })
    } finally {
      isRunning = false
    }
  }

  /** Users whose inboxes a process without a bus has changed; one turn of the event loop is one batch. */
  const changed = new Set<number>()
  async function sendChanged(): Promise<void> {
    const userNos = [...changed]
    changed.clear()
    try {
      await broadcastHeads(deps, 'behind', userNos)
    } catch (error) {
      hasLostPushes = true
      logFault(log, 'head broadcast failed', { error })
    }
  }

  const timer = setInterval(round, Math.min(CHECK_MS, everyMs))
  const unsubscribes = [
    bus.subscribe('pushes-lost', () => {
      hasLostPushes = true
      // Every node publishes this when Redis comes back: several within CHECK_MS start one round.
      if (performance.now() - lastAt >= CHECK_MS) setImmediate(round)
    }),
    bus.subscribe('inboxes-changed', ({ userNos }) => {
      const here = userNos.filter((userNo) => deps.presence.ofUser(userNo) !== undefined)
      if (here.length > 0 && changed.size === 0) setImmediate(sendChanged)
      for (const userNo of here) changed.add(userNo)
    }),
  ]
  return () => {
    clearInterval(timer)
    for (const unsubscribe of unsubscribes) unsubscribe()
  }
}
