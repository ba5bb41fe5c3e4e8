// Targeted pushes to many open sockets, from an HTTP batch to the frames at the clients, on one node and on two, beside `ws` and bare
// Socket.IO. The edge stores each message before it pushes it; the others store nothing. Rounds alternate.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Benchmark, type Row, ratio, whole } from '../benchmark.ts'
import { prepare } from '../connection.ts'
import { createCustomer } from '../customer.ts'
import { ROOT } from '../edges.ts'
import { openRawSocket, type RawSocket } from '../idle/raw-socket.ts'
import { type Request, saturate } from '../load.ts'
import { median } from '../numbers.ts'

const BATCH = 100
const PATIENCE_MS = 20_000
const AIM = 0.6

interface Lane {
  name: string
  /** Of its nodes: events go to each in turn, sockets are spread over them. */
  urls: string[]
  sockets: RawSocket[]
  frames: number
  next(): Request
  perSecond: number[]
}

export const targeted: Benchmark = {
  name: 'targeted',
  measures: 'targeted pushes on one node and on two, beside ws and bare Socket.IO',
  async run(bench) {
    const sockets = bench.isFull ? 5000 : 1000
    const lanes = [await openEdge(bench, 'SQLite', sockets)]
    lanes.push(await openEdge(bench, 'PostgreSQL', sockets), await openEdge(bench, 'PostgreSQL', sockets, 2))
    for (const kind of ['ws', 'socket.io']) lanes.push(await openPeer(bench, kind, sockets))
    const batches = bench.isFull ? 1000 : 200
    const rounds = bench.isFull ? 7 : 3
    for (let round = -1; round < rounds; round += 1) {
      for (const lane of lanes) {
        const perSecond = await push(lane, batches)
        // The first round warms up.
        if (round >= 0) lane.perSecond.push(perSecond)
      }
      bench.say(`round ${round + 1} of ${rounds}`)
    }
    for (const lane of lanes) for (const socket of lane.sockets) socket.close()
    return {
      rows: describe(lanes, sockets),
      notes: ['All frames are waited for. Sockets, server and load share the machine.'],
    }
  },
}

function describe([edge, onPostgres, onTwo, ...peers]: Lane[], sockets: number): Row[] {
  const rate = (lane: Lane | undefined) => whole(median(lane?.perSecond ?? []))
  const rows: Row[] = [edge, onPostgres, onTwo].map((lane) => {
    return { what: `${lane?.name}, ${whole(sockets)} sockets: stored and pushed, frames/s`, value: rate(lane) }
  })
  const times = median((onTwo?.perSecond ?? []).map((one, at) => one / (onPostgres?.perSecond[at] ?? Number.NaN)))
  rows.push({ what: '… two nodes of one', value: ratio(times) })
  for (const peer of peers) {
    const value = median(peer.perSecond.map((one, at) => (edge?.perSecond[at] ?? Number.NaN) / one))
    rows.push({ what: `${peer.name}, the same without a store, frames/s`, value: rate(peer) })
    const aim = peer.name === 'ws' ? { aim: `≥ ${AIM}`, isMet: value >= AIM } : {}
    rows.push({ what: `… the edge on SQLite of ${peer.name}`, value: ratio(value), ...aim })
  }
  return rows
}

async function push(lane: Lane, batches: number): Promise<number> {
  const wanted = lane.frames + batches * BATCH
  const begun = performance.now()
  const requests = batches / lane.urls.length
  await Promise.all(lane.urls.map((url) => saturate(url, 8 / lane.urls.length, { requests }, lane.next)))
  while (lane.frames < wanted && performance.now() - begun < PATIENCE_MS) await delay(1)
  if (lane.frames < wanted) throw new Error(`${lane.name}: ${wanted - lane.frames} frames did not come`)
  return (batches * BATCH * 1000) / (performance.now() - begun)
}

async function openEdge({ edges, say }: Bench, store: string, count: number, nodes = 1): Promise<Lane> {
  const env = { SESSION_LIFETIME: 'PT6H' }
  const edge = await edges.start({ engine: store === 'SQLite' ? 'sqlite' : 'postgres', env })
  const all = [edge]
  while (all.length < nodes) all.push(await edges.start({ beside: edge }))
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publishCampaign()
  const name = `Edge on ${store}, ${nodes === 1 ? 'one node' : `${nodes} nodes`}`
  say(`${name}: ${whole(count)} users sign in`)
  const users = Array.from({ length: count }, (_, at) => `pushed_${at}`)
  const urls = all.map(({ address }) => address)
  const lane = createLane(name, urls, users, (chosen) => customer.trackBatch(chosen))
  for (const [at, user] of users.entries()) {
    const { sessionToken: token, inbox, realtime } = await customer.signIn(user)
    await open(lane, urls[at % urls.length] as string, realtime.path, { token, epoch: inbox.epoch, since: inbox.seq })
  }
  lane.frames = 0
  return lane
}

async function openPeer({ edges }: Bench, kind: string, count: number): Promise<Lane> {
  const peer = await edges.startOther([join(ROOT, 'bench/peers/push-server.mjs'), kind])
  const users = Array.from({ length: count }, (_, at) => `pushed_${at}`)
  const lane = createLane(kind, [peer.address], users, (chosen) => {
    const properties = { orderId: 'A-1', from: 'Hamburg', items: 3, total: 129.5, currency: 'EUR', at: 0 }
    const events = chosen.map((userId) => ({ name: 'bench.tracked', userId, properties }))
    return { bytes: prepare('POST', `${peer.address}/`, {}, JSON.stringify({ events })), status: 202 }
  })
  for (const token of users) await open(lane, peer.address, '/v1/realtime/', { token })
  lane.frames = 0
  return lane
}

function createLane(name: string, urls: string[], users: string[], requestOf: (chosen: string[]) => Request): Lane {
  let at = 0
  const next = () => {
    const chosen = Array.from({ length: BATCH }, () => {
      at += 7919
      return users[at % users.length] as string
    })
    return requestOf(chosen)
  }
  return { name, urls, sockets: [], frames: 0, next, perSecond: [] }
}

/** Resolves with the first frame, which every server sends at once. */
function open(lane: Lane, url: string, path: string, auth: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const onFrame = (text: string) => {
      // One frame may hold several messages: what came between two turns of a busy server.
      lane.frames += text.split('"op":"add"').length - 1
      resolve()
    }
    const onLost = (reason: string) => reject(new Error(`${lane.name}: a socket was lost: ${reason}`))
    lane.sockets.push(openRawSocket({ url, path, auth, onFrame, onLost }))
  })
}
