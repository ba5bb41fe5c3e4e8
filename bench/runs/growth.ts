// Measures the same load with 10 k and 50 k (full profile: 10 k, 100 k and 1 M) stored messages on both engines, in turns.

import { type Bench, type Benchmark, type Row, ratio, whole } from '../benchmark.ts'
import { type Customer, createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { saturate } from '../load.ts'
import { median } from '../numbers.ts'
import type { Engine } from '../process.ts'
import { processorMicros, writtenBytes } from '../processor.ts'
import { seededUser } from '../seed.ts'

const BATCH = 100
const BATCH_AIM = 11_000
const MILLION = 1_000_000

export const growth: Benchmark = {
  name: 'growth',
  measures: 'tracking with more and more stored',
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      rows.push(...(await measure(bench, engine)))
      await bench.edges.clear()
    }
    return {
      rows,
      notes: [
        'Each size is a process and a store of its own; 20,000 users in no order. What checkpoints of the batches write may fall into the next single events.',
      ],
    }
  },
}

interface Lane {
  stored: number
  edge: Edge
  customer: Customer
  single: number[]
  batch: number[]
  /** Costs of all rounds. */
  costs: Record<'single' | 'batch', Cost>
  at: number
}

/** Processor time and written bytes of the server's process. */
interface Cost {
  events: number
  micros: number
  bytes: number
}

async function measure(bench: Bench, engine: Engine): Promise<Row[]> {
  const sizes = bench.pick({ rehearsal: [500, 1500], quick: [10_000, 50_000], full: [10_000, 100_000, MILLION] })
  const roundMs = bench.pick({ rehearsal: 200, quick: 1000, full: 4000 })
  const lanes: Lane[] = []
  for (const stored of sizes) {
    const edge = await bench.edges.start({ engine, stored })
    lanes.push({
      stored,
      edge,
      customer: createCustomer(edge.address, edge.dataDir),
      single: [],
      batch: [],
      costs: noCosts(),
      at: 0,
    })
  }
  for (let round = 0; round < 3; round += 1) {
    for (const lane of lanes) await load(lane, roundMs)
    bench.log(`${engine}: round ${round + 1} of 3`)
  }
  const [first] = lanes
  return lanes.flatMap((lane) => describe(engine, lane, first === lane ? undefined : first))
}

async function load(lane: Lane, roundMs: number): Promise<void> {
  const { edge, customer } = lane
  // A prime step visits the users in a mixed order, like real events.
  const user = () => {
    lane.at += 7919
    return seededUser(lane.at)
  }
  const batch = () => customer.trackBatch(Array.from({ length: BATCH }, user))
  const single = () => saturate(edge.address, 64, roundMs, () => customer.track(user()))
  lane.single.push(await costing(lane, 'single', single, roundMs))
  const inBatches = async () => BATCH * (await saturate(edge.address, 8, roundMs, batch))
  lane.batch.push(await costing(lane, 'batch', inBatches, roundMs))
}

const noCosts = (): Lane['costs'] => ({
  single: { events: 0, micros: 0, bytes: 0 },
  batch: { events: 0, micros: 0, bytes: 0 },
})

/** Runs a round and adds its cost. @returns events per second */
async function costing({ edge, costs }: Lane, kind: 'single' | 'batch', run: () => Promise<number>, forMs: number) {
  const before = { micros: processorMicros(edge.pid), bytes: writtenBytes(edge.pid) }
  const perSecond = await run()
  costs[kind].events += (perSecond * forMs) / 1000
  costs[kind].micros += processorMicros(edge.pid) - before.micros
  costs[kind].bytes += writtenBytes(edge.pid) - before.bytes
  return perSecond
}

function describe(engine: Engine, { stored, single, batch, costs }: Lane, first: Lane | undefined): Row[] {
  const name = `${engine}, ${whole(stored)} stored`
  const times = (values: number[], base: number[]) => {
    const value = median(values.map((one, at) => one / (base[at] ?? one)))
    return { value: ratio(value), aim: '≥ 0.8', isMet: value >= 0.8 }
  }
  const perSecond = median(batch)
  const isAimed = stored === MILLION && engine === 'sqlite'
  const own: Row[] = [
    { what: `${name}: single events/s, 64 connections`, value: whole(median(single)) },
    {
      what: `${name}: events/s in batches of 100`,
      value: whole(perSecond),
      ...(isAimed ? { aim: `≥ ${whole(BATCH_AIM)}`, isMet: perSecond >= BATCH_AIM } : {}),
    },
  ]
  // On PostgreSQL its own processes cause most of both costs.
  if (engine === 'sqlite') {
    own.push({
      what: '… processor time and bytes written, an event: single; in batches',
      value: `${each(costs.single)}; ${each(costs.batch)}`,
    })
  }
  if (first === undefined) return own
  own.push({ what: `… single events, of the rate at ${whole(first.stored)}`, ...times(single, first.single) })
  own.push({ what: `… batches, of the rate at ${whole(first.stored)}`, ...times(batch, first.batch) })
  return own
}

const each = ({ events, micros, bytes }: Cost) =>
  `${whole(micros / events)} µs, ${(bytes / events / 1024).toFixed(1)} KB`
