// Measures targeted pushes to many open sockets, from an HTTP batch to the frames, on one node and two, against `ws` and
// bare Socket.IO, which store nothing. A node with sockets only shows the cost of a push alone. Rounds alternate.

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { type Bench, type Benchmark, judged, type Row, ratio, whole } from '../benchmark.ts'
import { answerOf } from '../children.ts'
import { prepare } from '../connection.ts'
import { createCustomer } from '../customer.ts'
import { ROOT } from '../edges.ts'
import { type Request, saturate } from '../load.ts'
import { median } from '../numbers.ts'
import type { Engine, Program } from '../process.ts'
import { processorMicros } from '../processor.ts'
import type { WatchTask } from '../pushed/clients.ts'

const BATCH = 100
const CONNECTIONS = 8
const AIM = 0.6

interface Lane {
  name: string
  /** Nodes: events go to each in turn, and sockets are spread over them. */
  nodes: Program[]
  clients: ChildProcess
  next(): Request
  perSecond: number[]
}

export const targeted: Benchmark = {
  name: 'targeted',
  measures: 'targeted pushes on one node and on two, beside ws and bare Socket.IO',
  async run(bench) {
    const sockets = bench.pick({ rehearsal: 50, quick: 1000, full: 10_000 })
    const one = await openEdge(bench, 'sqlite', sockets, 1)
    const both = bench.edges.engines().length === 2
    const single = both ? await openEdge(bench, 'postgres', sockets, 1) : undefined
    const two = both ? await openEdge(bench, 'postgres', sockets, 2) : undefined
    const peers = [await openPeer(bench, 'ws', sockets), await openPeer(bench, 'socket.io', sockets)]
    const lanes = [one, single, two, ...peers].filter((lane) => lane !== undefined)
    const batches = bench.pick({ rehearsal: 4, quick: 120, full: 400 })
    const rounds = bench.pick({ rehearsal: 1, quick: 2, full: 5 })
    const spent = { pushing: [] as number[], peers: peers.map(() => [] as number[]) }
    for (let round = -1; round < rounds; round += 1) {
      for (const lane of lanes) {
        const before = microsOf(lane.nodes[0])
        const perSecond = await push(lane, lane.nodes, batches)
        // The first round warms up.
        if (round === -1) continue
        lane.perSecond.push(perSecond)
        spent.peers[peers.indexOf(lane)]?.push((microsOf(lane.nodes[0]) - before) / (batches * BATCH))
      }
      if (two !== undefined) spent.pushing.push(await measurePushing(two, batches))
      bench.log(`round ${round + 1} of ${rounds}`)
    }
    return {
      rows: [...describe(one, single, two, peers, sockets), ...describeCost(spent.pushing.slice(1), spent.peers)],
      notes: [
        'All frames are waited for. Sockets, servers and load share the machine. The processor time of a peer has its HTTP in it, that of the edge its Redis.',
      ],
    }
  },
}

function describe(one: Lane, single: Lane | undefined, two: Lane | undefined, peers: Lane[], sockets: number): Row[] {
  const rate = (lane: Lane) => whole(median(lane.perSecond))
  const share = (of: Lane, by: Lane) => median(of.perSecond.map((rate, at) => rate / (by.perSecond[at] ?? Number.NaN)))
  const rows: Row[] = [one, single, two]
    .filter((lane) => lane !== undefined)
    .map((lane) => ({
      what: `${lane.name}, ${whole(sockets)} sockets: stored and pushed, frames/s`,
      value: rate(lane),
    }))
  if (single !== undefined && two !== undefined)
    rows.push({ what: '… two nodes of one', value: ratio(share(two, single)) })
  for (const peer of peers) {
    const value = share(one, peer)
    rows.push({ what: `${peer.name}, the same without a store, frames/s`, value: rate(peer) })
    const isAimed = peer.name === 'ws'
    rows.push({
      what: `… the edge on SQLite of ${peer.name}`,
      ...(isAimed ? judged(ratio(value), `≥ ${AIM}`, value >= AIM) : { value: ratio(value) }),
    })
  }
  return rows
}

function describeCost(pushing: number[], [ws = [], socketIo = []]: number[][]): Row[] {
  if (pushing.length === 0) return []
  const micros = (values: number[]) => median(values).toFixed(1)
  const share = median(ws) / median(pushing)
  return [
    {
      what: 'Processor time a frame, µs: a node that only has sockets / ws / socket.io',
      value: `${micros(pushing)} / ${micros(ws)} / ${micros(socketIo)}`,
    },
    { what: '… the push without the store, of ws', ...judged(ratio(share), `≥ ${AIM}`, share >= AIM) },
  ]
}

/** Pushes that many batches through these nodes. @returns frames per second */
async function push({ clients, next }: Lane, nodes: Program[], batches: number): Promise<number> {
  const all = answerOf(clients)
  clients.send({ more: batches * BATCH })
  const begun = performance.now()
  const requests = batches / nodes.length
  const sent = nodes.map(({ address }) => saturate(address, CONNECTIONS / nodes.length, { requests }, next))
  await Promise.all([all, ...sent])
  return (batches * BATCH * 1000) / (performance.now() - begun)
}

/** Measures the processor time in µs per frame of the second node when the first accepts all events. */
async function measurePushing(lane: Lane, batches: number): Promise<number> {
  const [first, second] = lane.nodes
  if (first === undefined || second === undefined) throw new Error('two nodes are measured')
  const before = microsOf(second)
  await push(lane, [first], batches)
  return (microsOf(second) - before) / ((batches * BATCH) / lane.nodes.length)
}

function microsOf(program: Program | undefined): number {
  return processorMicros(program?.pid ?? 0)
}

async function openEdge({ edges, log }: Bench, engine: Engine, count: number, nodes: number): Promise<Lane> {
  const env = { SESSION_LIFETIME: 'PT6H' }
  const edge = await edges.start({ engine, env })
  const all = [edge]
  while (all.length < nodes) all.push(await edges.start({ beside: edge, env }))
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publishCampaign()
  const name = `${edge.engine}, ${nodes === 1 ? 'one node' : `${nodes} nodes`}`
  log(`${name}: ${whole(count)} users sign in`)
  const clients = await openClients(edges, { urls: all.map(({ address }) => address), dataDir: edge.dataDir, count })
  return createLane(name, all, clients, count, (users) => customer.trackBatch(users))
}

async function openPeer({ edges }: Bench, kind: string, count: number): Promise<Lane> {
  const peer = await edges.startOther([join(ROOT, 'bench/peers/push-server.mjs'), kind])
  const clients = await openClients(edges, { urls: [peer.address], dataDir: undefined, count })
  return createLane(kind, [peer], clients, count, (users) => {
    const properties = { orderId: 'A-1', from: 'Hamburg', items: 3, total: 129.5, currency: 'EUR', at: 0 }
    const events = users.map((userId) => ({ name: 'bench.tracked', userId, properties }))
    return { bytes: prepare('POST', `${peer.address}/`, {}, JSON.stringify({ events })), status: 202 }
  })
}

async function openClients(edges: Bench['edges'], task: WatchTask): Promise<ChildProcess> {
  const clients = edges.fork('bench/pushed/clients.ts', [JSON.stringify(task)])
  await answerOf(clients)
  return clients
}

function createLane(
  name: string,
  nodes: Program[],
  clients: ChildProcess,
  count: number,
  requestOf: (users: string[]) => Request,
): Lane {
  let at = 0
  const next = () => {
    const users = Array.from({ length: BATCH }, () => {
      at += 7919
      return `pushed_${at % count}`
    })
    return requestOf(users)
  }
  return { name, nodes, clients, next, perSecond: [] }
}
