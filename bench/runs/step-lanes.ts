// Starts the systems that `orchestrator` compares: the edge, and BullMQ on a Redis that flushes every second or always.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startRedis } from '../../tools/servers/redis.ts'
import type { Bench } from '../benchmark.ts'
import { prepare } from '../connection.ts'
import { createCustomer } from '../customer.ts'
import { type Edge, ROOT } from '../edges.ts'
import type { Request } from '../load.ts'

/** Trigger → inbox; trigger → delay → inbox; 100 events of a user → one message. */
export type Way = 'inbox' | 'delay' | 'digest'

export const WINDOW_MS = 5000
const PEERS = join(ROOT, 'bench/peers')

export interface Lane {
  name: string
  url: string
  trackEvents(events: object[]): Request
  /** Returns the number of messages of that way so far. */
  countDone(way: Way): Promise<number>
  close(): Promise<void>
}

const EVENTS: Record<Way, string> = { inbox: 'bench.notified', delay: 'bench.delayed', digest: 'bench.gathered' }

/** Builds an event of that way; `until` is the end of a delay. */
export function eventOf(way: Way, userId: string, until: number): object {
  const properties = { orderId: 'A-1', from: 'Hamburg', items: 3, total: 129.5, until: new Date(until).toISOString() }
  return { name: EVENTS[way], userId, properties }
}

const INBOX_STEP = {
  id: 'message',
  type: 'inbox',
  title: 'Order {{ event.properties.orderId }}',
  body: 'From {{ event.properties.from }}.',
}
const STEPS: Record<Way, object[]> = {
  inbox: [INBOX_STEP],
  delay: [{ id: 'pause', type: 'delay', until: '{{ event.properties.until }}' }, INBOX_STEP],
  digest: [
    { id: 'gather', type: 'digest', window: `PT${WINDOW_MS / 1000}S` },
    { ...INBOX_STEP, title: '{{ events.size }} orders' },
  ],
}

export async function openEdgeLane(edge: Edge, name: string): Promise<Lane> {
  const customer = createCustomer(edge.address, edge.dataDir)
  const ids = new Map<Way, string>()
  for (const way of ['inbox', 'delay', 'digest'] as const) {
    ids.set(way, await customer.publish({ key: `way-${way}`, trigger: { event: EVENTS[way] }, steps: STEPS[way] }))
  }
  return {
    name,
    url: edge.address,
    trackEvents: customer.trackEvents,
    async countDone(way) {
      const path = `/v1/campaigns/${ids.get(way)}/stats`
      return (await customer.ask<{ steps: { count: number }[] }>(path)).steps[0]?.count ?? 0
    },
    close: () => edge.stop(),
  }
}

/** Installs BullMQ when this benchmark first runs, because nothing else needs it. */
function installQueue(): void {
  if (existsSync(join(PEERS, 'node_modules/bullmq'))) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: PEERS, stdio: 'inherit' })
}

export async function openQueueLane({ edges }: Bench, appendfsync: 'everysec' | 'always'): Promise<Lane> {
  installQueue()
  const redis = await startRedis({ appendfsync })
  const peer = await edges.startOther([join(PEERS, 'step-queue.mjs'), redis.url, String(WINDOW_MS)])
  return {
    name: `BullMQ, appendfsync ${appendfsync}`,
    url: peer.address,
    trackEvents: (events) => ({
      bytes: prepare('POST', `${peer.address}/`, {}, JSON.stringify({ events })),
      status: 202,
    }),
    async countDone(way) {
      const answer = await fetch(peer.address)
      return ((await answer.json()) as Record<Way, number>)[way]
    },
    async close() {
      await peer.stop()
      await redis.remove()
    },
  }
}
