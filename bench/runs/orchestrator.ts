// Measures campaign steps per second against BullMQ with a job per step, and the cost of a million waiting runs to ingestion.
// Rounds alternate; a ratio is the median over its rounds.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Benchmark, mebibytes, type Row, ratio, whole } from '../benchmark.ts'
import { createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { saturate } from '../load.ts'
import { fill } from '../loads/fill.ts'
import { readVitals } from '../metrics.ts'
import { median } from '../numbers.ts'
import type { Engine } from '../process.ts'
import { processorMicros } from '../processor.ts'
import { eventOf, type Lane, openEdgeLane, openQueueLane, type Way, WINDOW_MS } from './step-lanes.ts'

const BATCH = 100
const CONNECTIONS = 8
const EVENTS_PER_DIGEST = 100
const PATIENCE_MS = 120_000
const SLOWED_AIM = 0.85

interface Size {
  rounds: number
  events: number
  /** Time between the first event and the end of the delays: enough to accept all events. */
  leadMs: number
  waiting: number
  /** Number of pairs, even, so that each edge is first in half of them. */
  ingestRounds: number
  ingestMs: number
  /** Runs warm-up rounds for delays and digests, too, each of which takes as long as a round. */
  warmsWaits: boolean
}

export const orchestrator: Benchmark = {
  name: 'orchestrator',
  measures: 'steps of campaigns beside BullMQ with one job per step, and ingestion beside waiting runs',
  async run(bench) {
    const edges: Lane[] = []
    const slowed: Row[] = []
    for (const engine of bench.edges.engines()) {
      const { edge, rows } = await beside(bench, engine, sizeOf(bench))
      slowed.push(...rows)
      edges.push(await openEdgeLane(edge, `Edge, ${engine}`))
    }
    const peers = [await openQueueLane(bench, 'everysec'), await openQueueLane(bench, 'always')]
    const rows: Row[] = []
    const size = sizeOf(bench)
    try {
      for (const way of ['inbox', 'delay', 'digest'] as const) {
        const perSecond = await measureWay(bench, way, [...edges, ...peers], size)
        rows.push(...describe(way, edges, peers, perSecond))
      }
    } finally {
      for (const lane of [...edges, ...peers]) await lane.close()
    }
    return {
      rows: [...rows, ...slowed],
      notes: [
        'All of it with other runs waiting in the edges, as many as the lines on ingestion say, and none in BullMQ. A BullMQ job does nothing but count; the edge stores event, run, message and counters, and every answer is on disk.',
        'delay: from the instant at which all delays are over until the last message; tracking is not counted. A run of it is two steps. digest: from the first event until the last message, without the window.',
      ],
    }
  },
}

/** The full profile stores a million runs twice on each engine; with PostgreSQL it has fewer rounds. */
function sizeOf({ isFull, isRehearsal, edges }: Bench): Size {
  const short = { rounds: 1, warmsWaits: false }
  if (isRehearsal) return { ...short, events: 1000, leadMs: 8000, waiting: 2000, ingestRounds: 1, ingestMs: 500 }
  if (!isFull) return { ...short, events: 5000, leadMs: 4000, waiting: 20_000, ingestRounds: 8, ingestMs: 500 }
  const rounds = edges.engines().length === 1 ? 3 : 2
  return {
    rounds,
    events: 10_000,
    leadMs: 6000,
    waiting: 1_000_000,
    ingestRounds: 8,
    ingestMs: 2000,
    warmsWaits: true,
  }
}

/** Compares an edge with waiting runs and one with as many ended runs: events per second. */
async function beside(bench: Bench, engine: Engine, size: Size): Promise<{ edge: Edge; rows: Row[] }> {
  const waiting = await bench.edges.start({ engine })
  const ended = await bench.edges.start({ engine })
  const emptyBytes = residentBytes(waiting.pid)
  await store(bench, waiting, size.waiting, { id: 'pause', type: 'delay', for: 'P300D' })
  await store(bench, ended, size.waiting, { id: 'end', type: 'exit' })
  const rows = await measureIngestion(bench, engine, waiting, ended, size)
  rows.push(memoryRow(waiting, ended, emptyBytes))
  await ended.stop()
  return { edge: waiting, rows }
}

/** Stores so many runs in an edge that wait, or have ended after one step. */
async function store(
  { log }: Bench,
  edge: Edge,
  count: number,
  step: { id: string; type: string; for?: string },
): Promise<void> {
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publish({ key: 'stored', trigger: { event: 'bench.stored' }, steps: [step] })
  await customer.publishCampaign()
  await fill({
    url: edge.address,
    count,
    what: `${edge.engine} runs with ${step.type}`,
    log,
    batch: (from, size) => customer.trackEvents(Array.from({ length: size }, (_, at) => storedEvent(from + at))),
  })
  const { events } = await readVitals(edge.address)
  if (events < count) throw new Error(`${whole(events)} of ${whole(count)} events were accepted`)
}

function storedEvent(number: number): object {
  const properties = { orderId: 'A-1', from: 'Hamburg' }
  return { name: 'bench.stored', userId: `stored_${number % 20_000}`, properties, idempotencyKey: `stored_${number}` }
}

async function measureIngestion(
  bench: Bench,
  engine: Engine,
  waiting: Edge,
  ended: Edge,
  { ingestRounds, ingestMs, waiting: count }: Size,
): Promise<Row[]> {
  const perSecond: [number[], number[]] = [[], []]
  const micros: [number[], number[]] = [[], []]
  for (let round = -1; round < ingestRounds; round += 1) {
    const pair = [...[waiting, ended].entries()]
    // Each edge is first equally often, because each round leaves work (log, checkpoint) to the next.
    for (const [at, edge] of round % 2 === 0 ? pair : pair.reverse()) {
      const found = await ingest(edge, ingestMs)
      // The first round warms up.
      if (round < 0) continue
      perSecond[at]?.push(found.perSecond)
      micros[at]?.push(found.micros)
    }
  }
  bench.log(`${ingestRounds} rounds of ingestion`)
  const [beside, alone] = perSecond
  const share = median(beside.map((rate, at) => rate / (alone[at] ?? Number.NaN)))
  return [
    { what: `${engine}: events/s in batches of 100 beside ${whole(count)} waiting runs`, value: whole(median(beside)) },
    { what: `… beside ${whole(count)} ended runs`, value: whole(median(alone)) },
    { what: '… of it', value: ratio(share), aim: `> ${SLOWED_AIM}`, isMet: share > SLOWED_AIM },
    {
      what: 'Processor time of the edge for an event beside them, waiting / ended',
      value: `${micros.map((each) => whole(median(each))).join(' / ')} µs`,
    },
  ]
}

/** Compares the memory of both edges: they stored the same, so the difference is the cost of waiting. */
function memoryRow(waiting: Edge, ended: Edge, emptyBytes: number): Row {
  const memory = [residentBytes(waiting.pid), residentBytes(ended.pid), emptyBytes].map(mebibytes)
  return { what: 'Memory of the edge, runs waiting / ended / at its start', value: memory.join(' / ') }
}

/** Returns events per second and the edge's processor time per event, which other programs disturb less. */
async function ingest(edge: Edge, forMs: number): Promise<{ perSecond: number; micros: number }> {
  const customer = createCustomer(edge.address, edge.dataDir)
  let at = 0
  const next = () => {
    at += BATCH
    const users = Array.from({ length: BATCH }, (_, n) => `ingested_${(at + n) % 20_000}`)
    return customer.trackBatch(users)
  }
  const before = processorMicros(edge.pid)
  const perSecond = BATCH * (await saturate(edge.address, CONNECTIONS, forMs, next))
  return { perSecond, micros: (processorMicros(edge.pid) - before) / at }
}

function residentBytes(pid: number): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? Number.NaN) * 1024
}

async function measureWay(bench: Bench, way: Way, lanes: Lane[], size: Size): Promise<number[][]> {
  const perSecond: number[][] = lanes.map(() => [])
  const first = way !== 'inbox' && !size.warmsWaits ? 0 : -1
  for (let round = first; round < size.rounds; round += 1) {
    for (const [at, lane] of lanes.entries()) {
      const rate = await runRound(lane, way, size, round)
      if (round >= 0) perSecond[at]?.push(rate)
    }
    bench.log(`${way}, round ${round + 1} of ${size.rounds}`)
  }
  return perSecond
}

/** Returns the events per second of one round, up to its last message. */
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

/** Describes the results. `perSecond`: of the edges, then of the peers, each by its rounds. */
function describe(way: Way, edges: Lane[], peers: Lane[], perSecond: number[][]): Row[] {
  const rows: Row[] = []
  const ofPeers = perSecond.slice(edges.length)
  for (const [place, { name }] of edges.entries()) {
    const own = perSecond[place] ?? []
    rows.push({ what: `${name}: ${TITLES[way]}`, value: whole(median(own)) })
    for (const [at, peer] of ofPeers.entries()) {
      const share = median(own.map((rate, round) => rate / (peer[round] ?? Number.NaN)))
      rows.push({ what: `… of ${peers[at]?.name}`, value: ratio(share), aim: '≥ 1.0', isMet: share >= 1 })
    }
  }
  for (const [at, peer] of ofPeers.entries()) {
    rows.push({ what: `${peers[at]?.name}: ${TITLES[way]}`, value: whole(median(peer)) })
  }
  return rows
}
