// Targeted pushes to many open sockets, from an HTTP batch to the frames at the clients, beside `ws` and bare Socket.IO. The edge
// stores each message before it pushes it; the others store nothing. Rounds alternate.

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
  url: string
  sockets: RawSocket[]
  frames: number
  next(): Request
  perSecond: number[]
}

export const targeted: Benchmark = {
  name: 'targeted',
  measures: 'targeted pushes on one node, beside ws and bare Socket.IO',
  async run(bench) {
    const sockets = bench.isFull ? 5000 : 1000
    const lanes = [await openEdge(bench, sockets)]
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

function describe([edge, ...peers]: Lane[], sockets: number): Row[] {
  const rate = (lane: Lane | undefined) => whole(median(lane?.perSecond ?? []))
  const rows: Row[] = [{ what: `Edge, ${whole(sockets)} sockets: stored and pushed, frames/s`, value: rate(edge) }]
  for (const peer of peers) {
    const value = median(peer.perSecond.map((one, at) => (edge?.perSecond[at] ?? Number.NaN) / one))
    rows.push({ what: `${peer.name}, the same without a store, frames/s`, value: rate(peer) })
    const aim = peer.name === 'ws' ? { aim: `≥ ${AIM}`, isMet: value >= AIM } : {}
    rows.push({ what: `… the edge of ${peer.name}`, value: ratio(value), ...aim })
  }
  return rows
}

async function push(lane: Lane, batches: number): Promise<number> {
  const wanted = lane.frames + batches * BATCH
  const begun = performance.now()
  await saturate(lane.url, 8, { requests: batches }, lane.next)
  while (lane.frames < wanted && performance.now() - begun < PATIENCE_MS) await delay(1)
  if (lane.frames < wanted) throw new Error(`${lane.name}: ${wanted - lane.frames} frames did not come`)
  return (batches * BATCH * 1000) / (performance.now() - begun)
}

async function openEdge({ edges, say }: Bench, count: number): Promise<Lane> {
  const edge = await edges.start({ env: { SESSION_LIFETIME: 'PT6H' } })
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publishCampaign()
  say(`edge: ${whole(count)} users sign in`)
  const users = Array.from({ length: count }, (_, at) => `pushed_${at}`)
  const lane = createLane('edge', edge.address, users, (chosen) => customer.trackBatch(chosen))
  for (const user of users) {
    const { sessionToken: token, inbox, realtime } = await customer.signIn(user)
    await open(lane, realtime.path, { token, epoch: inbox.epoch, since: inbox.seq })
  }
  lane.frames = 0
  return lane
}

async function openPeer({ edges }: Bench, kind: string, count: number): Promise<Lane> {
  const peer = await edges.startOther([join(ROOT, 'bench/peers/push-server.mjs'), kind])
  const users = Array.from({ length: count }, (_, at) => `pushed_${at}`)
  const lane = createLane(kind, peer.address, users, (chosen) => {
    const properties = { orderId: 'A-1', from: 'Hamburg', items: 3, total: 129.5, currency: 'EUR', at: 0 }
    const events = chosen.map((userId) => ({ name: 'bench.tracked', userId, properties }))
    return { bytes: prepare('POST', `${peer.address}/`, {}, JSON.stringify({ events })), status: 202 }
  })
  for (const token of users) await open(lane, '/v1/realtime/', { token })
  lane.frames = 0
  return lane
}

function createLane(name: string, url: string, users: string[], requestOf: (chosen: string[]) => Request): Lane {
  let at = 0
  const next = () => {
    const chosen = Array.from({ length: BATCH }, () => {
      at += 7919
      return users[at % users.length] as string
    })
    return requestOf(chosen)
  }
  return { name, url, sockets: [], frames: 0, next, perSecond: [] }
}

/** Resolves with the first frame, which every server sends at once. */
function open(lane: Lane, path: string, auth: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const onFrame = (text: string) => {
      // One frame may hold several messages: what came between two turns of a busy server.
      lane.frames += text.split('"op":"add"').length - 1
      resolve()
    }
    const onLost = (reason: string) => reject(new Error(`${lane.name}: a socket was lost: ${reason}`))
    lane.sockets.push(openRawSocket({ url: lane.url, path, auth, onFrame, onLost }))
  })
}
