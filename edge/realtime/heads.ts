// Connected users hear where their inbox stands: every 25 s, so that even a lost last push heals (contract section 5), at
// once when the bus has lost some, and more often while other nodes are out of its reach.

import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '../../contract/limits.ts'
import type { Bus } from '../domain/bus.ts'
import { headFrame } from '../domain/delivery/inbox-change.ts'
import type { Inboxes } from '../domain/message.ts'
import type { Log } from '../lib/log.ts'
import type { Outbox } from './outbox.ts'
import { encodePacket } from './packet.ts'
import type { Presence } from './presence.ts'

/** Users that are read in one query and served in one turn of the loop, which has this much rest before the next. */
const SLICE = 200
const REST_MS = 5
/** While pushes of other nodes do not come, those who are behind hear it this often. */
const AWAY_EVERY_MS = 3000
/** How often it is asked whether something is due. */
const LOOK_MS = 500

export interface HeadsDeps {
  inboxes: Pick<Inboxes, 'heads'>
  presence: Presence
  outbox: Outbox
}

/** `behind`: only those whose socket was not brought so far. */
export type Whom = 'all' | 'behind'

/** One query per slice; each user's packet is encoded once. `userNos`: all who are connected, or some of them. */
export async function stateHeads(
  { inboxes, presence, outbox }: HeadsDeps,
  whom: Whom,
  userNos = presence.userNos(),
): Promise<void> {
  for (let at = 0; at < userNos.length; at += SLICE) {
    if (at > 0) await delay(REST_MS)
    const heads = await inboxes.heads(userNos.slice(at, at + SLICE))
    for (const [userNo, head] of heads) {
      let packet: string | undefined
      for (const member of presence.ofUser(userNo) ?? []) {
        // One that has come further since the query, or is about to, needs no old news.
        if (member.reading || member.seq > head.seq || (whom === 'behind' && member.seq === head.seq)) continue
        packet ??= encodePacket('inbox', headFrame(head))
        outbox.send(member, packet)
      }
    }
  }
}

export interface HeadsRoundsDeps extends HeadsDeps {
  bus: Pick<Bus, 'subscribe' | 'isUp'>
  log: Log
  /** For tests. */
  everyMs?: number | undefined
}

/** Answers the function that ends it. */
export function startHeads(deps: HeadsRoundsDeps): () => void {
  const { bus, log, everyMs = LIMITS.headsEveryMs } = deps
  let allAt = performance.now()
  let lastAt = allAt
  /** Pushes were lost; owed until a round has told everyone. */
  let isOwed = false
  let isRunning = false

  function whomNow(): Whom | undefined {
    const now = performance.now()
    if (now - allAt >= everyMs) return 'all'
    return isOwed || (!bus.isUp() && now - lastAt >= AWAY_EVERY_MS) ? 'behind' : undefined
  }

  async function round(): Promise<void> {
    const whom = whomNow()
    if (isRunning || whom === undefined) return
    isRunning = true
    lastAt = performance.now()
    if (whom === 'all') allAt = lastAt
    const wasOwed = isOwed
    isOwed = false
    try {
      await stateHeads(deps, whom)
    } catch (error) {
      isOwed = wasOwed
      log.error('The heads could not be told.', { error })
    } finally {
      isRunning = false
    }
  }

  /** Inboxes that were changed by somebody without a bus; what comes in one turn of the loop is told together. */
  const changed = new Set<number>()
  async function tellChanged(): Promise<void> {
    const userNos = [...changed]
    changed.clear()
    try {
      await stateHeads(deps, 'behind', userNos)
    } catch (error) {
      isOwed = true
      log.error('The heads could not be told.', { error })
    }
  }

  const timer = setInterval(round, Math.min(LOOK_MS, everyMs))
  const ends = [
    bus.subscribe('pushes-lost', () => {
      isOwed = true
      // Every node says so when Redis comes back: what comes in a bunch is one round.
      if (performance.now() - lastAt >= LOOK_MS) setImmediate(round)
    }),
    bus.subscribe('inboxes-changed', ({ userNos }) => {
      const here = userNos.filter((userNo) => deps.presence.ofUser(userNo) !== undefined)
      if (here.length > 0 && changed.size === 0) setImmediate(tellChanged)
      for (const userNo of here) changed.add(userNo)
    }),
  ]
  return () => {
    clearInterval(timer)
    for (const end of ends) end()
  }
}
