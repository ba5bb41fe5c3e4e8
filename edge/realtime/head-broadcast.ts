// Sends connected users the head of their inbox: every 25 s, so that a lost last push heals; at once when the bus has lost pushes;
// and every 3 s while other nodes cannot be reached.

import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '../../contract/limits.ts'
import type { Bus } from '../domain/bus.ts'
import { headFrame } from '../domain/delivery/inbox-change.ts'
import type { Inboxes } from '../domain/message.ts'
import type { Log } from '../lib/log.ts'
import type { Presence } from './presence.ts'
import { encodePacket, type SendBuffer } from './send-buffer.ts'

/** Users that are read in one query and served in one turn of the loop. */
const SLICE = 200
/** Between two slices. */
const PAUSE_MS = 5
/** How often users that are behind get their head while pushes of other nodes do not arrive. */
const BUS_DOWN_EVERY_MS = 3000
/** How often a timer looks whether a round is due. */
const LOOK_MS = 500

export interface HeadBroadcastDeps {
  inboxes: Pick<Inboxes, 'heads'>
  presence: Presence
  buffer: SendBuffer
}

/** `behind`: only users with a socket that is behind the head. */
export type Audience = 'all' | 'behind'

/**
 * Sends heads: one query per slice, and each user's packet is encoded once.
 *
 * @param userNos all connected users by default
 */
export async function broadcastHeads(
  { inboxes, presence, buffer }: HeadBroadcastDeps,
  audience: Audience,
  userNos = presence.userNos(),
): Promise<void> {
  for (let at = 0; at < userNos.length; at += SLICE) {
    if (at > 0) await delay(PAUSE_MS)
    const heads = await inboxes.heads(userNos.slice(at, at + SLICE))
    for (const [userNo, head] of heads) {
      let packet: string | undefined
      for (const member of presence.ofUser(userNo) ?? []) {
        // A socket that has come further since the query, or is reading, needs no older head.
        if (member.reading || member.seq > head.seq || (audience === 'behind' && member.seq === head.seq)) continue
        packet ??= encodePacket('inbox', headFrame(head))
        buffer.send(member, packet)
      }
    }
  }
}

export interface HeadRoundsDeps extends HeadBroadcastDeps {
  bus: Pick<Bus, 'subscribe' | 'isUp'>
  log: Log
  /** For tests. */
  everyMs?: number | undefined
}

/** @returns the function that stops it */
export function startHeadBroadcast(deps: HeadRoundsDeps): () => void {
  const { bus, log, everyMs = LIMITS.headsEveryMs } = deps
  let allAt = performance.now()
  let lastAt = allAt
  /** Pushes were lost, and no round has ended since. */
  let isOwed = false
  let isRunning = false

  function audienceNow(): Audience | undefined {
    const now = performance.now()
    if (now - allAt >= everyMs) return 'all'
    return isOwed || (!bus.isUp() && now - lastAt >= BUS_DOWN_EVERY_MS) ? 'behind' : undefined
  }

  async function round(): Promise<void> {
    const audience = audienceNow()
    if (isRunning || audience === undefined) return
    isRunning = true
    lastAt = performance.now()
    if (audience === 'all') allAt = lastAt
    const wasOwed = isOwed
    isOwed = false
    try {
      await broadcastHeads(deps, audience)
    } catch (error) {
      isOwed = wasOwed
      log.error('broadcast of heads failed', { error })
    } finally {
      isRunning = false
    }
  }

  /** Inboxes that a process without a bus has changed; those of one turn of the loop are sent together. */
  const changed = new Set<number>()
  async function sendChanged(): Promise<void> {
    const userNos = [...changed]
    changed.clear()
    try {
      await broadcastHeads(deps, 'behind', userNos)
    } catch (error) {
      isOwed = true
      log.error('broadcast of heads failed', { error })
    }
  }

  const timer = setInterval(round, Math.min(LOOK_MS, everyMs))
  const ends = [
    bus.subscribe('pushes-lost', () => {
      isOwed = true
      // Every node publishes this when Redis comes back: several within LOOK_MS are one round.
      if (performance.now() - lastAt >= LOOK_MS) setImmediate(round)
    }),
    bus.subscribe('inboxes-changed', ({ userNos }) => {
      const here = userNos.filter((userNo) => deps.presence.ofUser(userNo) !== undefined)
      if (here.length > 0 && changed.size === 0) setImmediate(sendChanged)
      for (const userNo of here) changed.add(userNo)
    }),
  ]
  return () => {
    clearInterval(timer)
    for (const end of ends) end()
  }
}
