// Steps of campaigns per second, beside BullMQ with a job per step; and what a million waiting runs cost the ingestion of others.
// Rounds alternate; a ratio is the median of those of its rounds.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Benchmark, mebibytes, type Row, ratio, whole } from '../benchmark.ts'
import { createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { saturate } from '../load.ts'
import { median } from '../numbers.ts'
import { eventOf, type Lane, openEdgeLane, openQueueLane, type Way, WINDOW_MS } from './step-lanes.ts'

const BATCH = 100
const CONNECTIONS = 8
const EVENTS_PER_DIGEST = 100
const PATIENCE_MS = 120_000
const SLOWED_AIM = 0.85

interface Size {
  rounds: number
  events: number
  /** Between tracking and when the delays are over: enough to take all of them. */
  leadMs: number
  waiting: number
  ingestMs: number
}

export const orchestrator: Benchmark = {
  name: 'orchestrator',
  measures: 'steps of campaigns beside BullMQ with one job per step, and ingestion beside waiting runs',
  async run(bench) {
    const size = sizeOf(bench)
    const waiting = await bench.edges.start()
    const ended = await bench.edges.start()
    await store(bench, waiting, size.waiting, { id: 'pause', type: 'delay', for: 'P300D' })
    await store(bench, ended, size.waiting, { id: 'end', type: 'exit' })
    const slowed = await measureIngestion(bench, waiting, ended, size)
    await ended.stop()
    const lanes = [
      await openEdgeLane(waiting, 'Edge'),
      await openQueueLane(bench, 'everysec'),
      await openQueueLane(bench, 'always'),
    ]
    const rows: Row[] = []
    try {
      for (const way of ['inbox', 'delay', 'digest'] as const) {
        rows.push(...describe(way, lanes, await measureWay(bench, way, lanes, size)))
      }
    } finally {
      for (const lane of lanes) await lane.close()
    }
    return {
      rows: [...rows, ...slowed],
      notes: [
        `All of it with ${whole(size.waiting)} other runs waiting in the edge, and none in BullMQ. A BullMQ job does nothing but count; the edge stores event, run, message and counters, and every answer is on disk.`,
        'delay: from the instant at which all delays are over until the last message; tracking is not counted. A run of it is two steps. digest: from the first event until the last message, without the window.',
      ],
    }
  },
}

function sizeOf({ isFull }: Bench): Size {
  // A rehearsal on a busy machine: the shape of it, not its figures.
  if (process.env.NC_BENCH?.includes('rehearse') === true) {
    return { rounds: 1, events: 1000, leadMs: 8000, waiting: 2000, ingestMs: 1000 }
  }
  return isFull
    ? { rounds: 7, events: 20_000, leadMs: 15_000, waiting: 1_000_000, ingestMs: 5000 }
    : { rounds: 3, events: 10_000, leadMs: 10_000, waiting: 50_000, ingestMs: 2000 }
}

/** So many runs in an edge that wait, or have ended: by one step. */
async function store({ say }: Bench, edge: Edge, count: number, step: object): Promise<void> {
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publish({ key: 'stored', trigger: { event: 'bench.stored' }, steps: [step] })
  await customer.publishCampaign()
  const batch = Math.min(count, 1000)
  let sent = 0
  await saturate(edge.address, 4, { requests: count / batch }, () => {
    const events = Array.from({ length: batch }, (_, at) => ({
      name: 'bench.stored',
      userId: `stored_${(sent + at) % 20_000}`,
      properties: { orderId: 'A-1', from: 'Hamburg' },
    }))
    sent += batch
    if (sent % 100_000 === 0) say(`${whole(sent)} of ${whole(count)} runs stored`)
    return customer.trackEvents(events)
  })
}

async function measureIngestion(bench: Bench, waiting: Edge, ended: Edge, { rounds, ingestMs, waiting: count }: Size) {
  const perSecond: [number[], number[]] = [[], []]
  for (let round = -1; round < rounds; round += 1) {
    for (const [at, edge] of [waiting, ended].entries()) {
      const rate = await ingest(edge, ingestMs)
      // The first round warms up.
      if (round >= 0) perSecond[at]?.push(rate)
    }
    bench.say(`ingestion, round ${round + 1} of ${rounds}`)
  }
  const [beside, alone] = perSecond
  const share = median(beside.map((rate, at) => rate / (alone[at] ?? Number.NaN)))
  const memory = { waiting: residentBytes(waiting.pid), ended: residentBytes(ended.pid) }
  return [
    { what: `Events/s in batches of 100 beside ${whole(count)} waiting runs`, value: whole(median(beside)) },
    { what: `… beside ${whole(count)} ended runs`, value: whole(median(alone)) },
    { what: '… of it', value: ratio(share), aim: `> ${SLOWED_AIM}`, isMet: share > SLOWED_AIM },
    {
      what: 'Memory of the edge, runs waiting / ended',
      value: `${mebibytes(memory.waiting)} / ${mebibytes(memory.ended)}`,
    },
  ] satisfies Row[]
}

async function ingest(edge: Edge, forMs: number): Promise<number> {
  const customer = createCustomer(edge.address, edge.dataDir)
  let at = 0
  const next = () => {
    at += BATCH
    return customer.trackBatch(Array.from({ length: BATCH }, (_, n) => `ingested_${(at + n) % 20_000}`))
  }
  return BATCH * (await saturate(edge.address, CONNECTIONS, forMs, next))
}

function residentBytes(pid: number): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? Number.NaN) * 1024
}

async function measureWay(bench: Bench, way: Way, lanes: Lane[], size: Size): Promise<number[][]> {
  const perSecond: number[][] = lanes.map(() => [])
  for (let round = -1; round < size.rounds; round += 1) {
    for (const [at, lane] of lanes.entries()) {
      const rate = await runRound(lane, way, size, round)
      if (round >= 0) perSecond[at]?.push(rate)
    }
    bench.say(`${way}, round ${round + 1} of ${size.rounds}`)
  }
  return perSecond
}

/** Events per second of one round, until the last message of it is there. */
async function runRound(lane: Lane, way: Way, { events, leadMs }: Size, round: number): Promise<number> {
  const before = await lane.countDone(way)
  const users = way === 'digest' ? events / EVENTS_PER_DIGEST : Math.min(events, 5000)
  const wanted = before + (way === 'digest' ? users : events)
  let sent = 0
  const until = Date.now() + leadMs
  let begun = performance.now()
  await saturate(lane.url, CONNECTIONS, { requests: events / BATCH }, () => {
    const batch = Array.from({ length: BATCH }, (_, at) => eventOf(way, `r${round}_${(sent + at) % users}`, until))
    sent += BATCH
    return lane.trackEvents(batch)
  })
  if (way === 'delay') {
    const left = until - Date.now()
    if (left <= 0) throw new Error(`${lane.name}: the delays were over before all events were tracked`)
    await delay(left)
    begun = performance.now()
  }
  while ((await lane.countDone(way)) < wanted) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`${lane.name}, ${way}: messages did not come`)
    await delay(5)
  }
  const tookMs = performance.now() - begun - (way === 'digest' ? WINDOW_MS : 0)
  return (events * 1000) / Math.max(1, tookMs)
}

const TITLES: Record<Way, string> = {
  inbox: 'trigger → inbox, runs/s',
  delay: 'trigger → delay → inbox, runs/s once their time has come',
  digest: `digests of ${EVENTS_PER_DIGEST} events, events/s`,
}

function describe(way: Way, lanes: Lane[], perSecond: number[][]): Row[] {
  const [edge = [], ...peers] = perSecond
  const rows: Row[] = [{ what: `Edge: ${TITLES[way]}`, value: whole(median(edge)) }]
  for (const [at, peer] of peers.entries()) {
    const share = median(edge.map((rate, round) => rate / (peer[round] ?? Number.NaN)))
    rows.push({ what: lanes[at + 1]?.name ?? '', value: whole(median(peer)) })
    rows.push({ what: '… the edge of it', value: ratio(share), aim: '≥ 1.0', isMet: share >= 1 })
  }
  return rows
}
