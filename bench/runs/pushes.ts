// Compares ways to push from one process to another over one Redis (docs/decisions/0015-redis-channels.md), alternating.
// Each round ends where a packet would be written to the connection. The edge uses a channel for each user.

import { startRedis } from '../../tools/servers/redis.ts'
import { type Bench, type Benchmark, judged, type Row, whole } from '../benchmark.ts'
import { answerOf } from '../children.ts'
import type { Found, NodeTask } from '../fanout/node.ts'
import { WAYS, type WayName } from '../fanout/ways.ts'
import { median } from '../numbers.ts'

const TAKEN: WayName = 'userChannel'
const PER_SECOND_AIM = 12_000
const P50_AIM_MS = 0.5
const LABELS: Record<WayName, string> = {
  adapter: "Socket.IO's Redis adapter, sharded",
  nodeByScript: 'a channel per node, found by a script in Redis',
  nodeByMap: 'a channel per node, found in a map of all nodes',
  userChannel: "a channel per user (the edge's)",
}

export const pushes: Benchmark = {
  name: 'pushes',
  measures: 'pushes across processes, from node to node, four ways',
  async run(bench) {
    const names = Object.keys(WAYS) as WayName[]
    const found: Record<WayName, Found[]> = { adapter: [], nodeByScript: [], nodeByMap: [], userChannel: [] }
    const rounds = bench.pick({ rehearsal: 1, quick: 1, full: 3 })
    for (let round = 1; round <= rounds; round += 1) {
      for (const way of names) {
        const measured = await measure(bench, way)
        found[way].push(measured)
        const { perSecond, p50Ms, p99Ms } = measured
        bench.log(`round ${round} ${way}: ${whole(perSecond)}/s, ${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)} ms`)
      }
    }
    return {
      rows: names.flatMap((way) => describe(way, found[way])),
      notes: [
        'As fast as the other process follows, then at 2,000/s. What the store and the commit cost is not in it: that is `targeted`.',
      ],
    }
  },
}

function describe(way: WayName, found: Found[]): Row[] {
  const middle = (key: keyof Found) => median(found.map((one) => one[key]))
  const [perSecond, p50Ms] = [middle('perSecond'), middle('p50Ms')]
  const latency = `${p50Ms.toFixed(2)} / ${middle('p99Ms').toFixed(2)} ms`
  const isOurs = way === TAKEN
  return [
    {
      what: `${LABELS[way]}: pushes/s`,
      ...(isOurs
        ? judged(whole(perSecond), `≥ ${whole(PER_SECOND_AIM)}`, perSecond >= PER_SECOND_AIM)
        : { value: whole(perSecond) }),
    },
    {
      what: '… p50 / p99 at 2,000/s',
      ...(isOurs ? judged(latency, `p50 ≤ ${P50_AIM_MS} ms`, p50Ms <= P50_AIM_MS) : { value: latency }),
    },
  ]
}

async function measure({ edges, pick }: Bench, way: WayName): Promise<Found> {
  const redis = await startRedis()
  const lasts = {
    fastMs: pick({ rehearsal: 300, quick: 1500, full: 2000 }),
    steadyMs: pick({ rehearsal: 300, quick: 1500, full: 2000 }),
  }
  const task = { way, url: redis.url, users: 1000, window: 1000, steadyPerSecond: 2000, ...lasts }
  const start = (role: NodeTask['role']) =>
    edges.fork('bench/fanout/node.ts', [JSON.stringify({ role, ...task } satisfies NodeTask)])
  const b = start('b')
  try {
    await answerOf(b)
    const a = start('a')
    const latency = new Promise<Pick<Found, 'p50Ms' | 'p99Ms'>>((resolve, reject) => {
      b.once('exit', () => reject(new Error('the node with the sockets ended')))
      b.on('message', (message: { received?: number; p50Ms: number; p99Ms: number }) => {
        if (message.received === undefined) resolve(message)
        else if (a.connected) a.send(message)
      })
    })
    // The await below reports this failure; both end together.
    latency.catch(() => undefined)
    const perSecond = await new Promise<number>((resolve, reject) => {
      a.once('exit', () => reject(new Error('the node that publishes ended')))
      a.on('message', (message: unknown) => {
        if (message === 'done') b.send('report')
        else if (typeof message === 'object' && message !== null && 'perSecond' in message) {
          b.send('clear')
          resolve(Number(message.perSecond))
        }
      })
    })
    return { perSecond, ...(await latency.finally(() => a.kill())) }
  } finally {
    b.kill()
    await redis.remove()
  }
}
