// Measures one edge for `overload.ts`: capacity, ten times that from one environment beside another's events, and recovery.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../benchmark.ts'
import { prepare } from '../connection.ts'
import { createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { pace, type Request, saturate } from '../load.ts'
import { percentile } from '../numbers.ts'
import type { Engine } from '../process.ts'
import { type Answered, flood } from './flood.ts'

const BATCH = 100
const TIMES = 10
const CONNECTIONS = 400
const BESIDE_PER_SECOND = 20
const BATCHES = 64

/** Times in ms, rates in events a second. */
export interface Overloaded {
  capacity: number
  offered: number
  forMs: number
  answers: Answered[]
  broken: number
  /** Latencies of the other environment, before the load. */
  calmMs: number[]
  besideMs: number[]
  mostBytes: number
  /** Number of events confirmed by answers; the two below are the server's counter and the store's. */
  accepted: number
  counted: number
  stored: number
  recoveredMs: number
}

export async function overloadOne({ pick, edges, log }: Bench, engine: Engine): Promise<Overloaded> {
  const forMs = pick({ rehearsal: 1000, quick: 5000, full: 30_000 })
  const edge = await edges.start({ engine })
  const nextBatch = await batchesOf(edge)
  const beside = otherEnvironment(edge)
  const capacity =
    BATCH * (await saturate(edge.address, 8, pick({ rehearsal: 500, quick: 2000, full: 5000 }), nextBatch))
  await settled(edge)
  const calmMs = await pace(edge.address, BESIDE_PER_SECOND, 3000, 4, beside)
  const before = await countsOf(edge)
  log(`capacity ${Math.round(capacity)} events/s; now ten times that for ${forMs / 1000} s`)

  const memory = watchMemory(edge)
  const found = { answers: [] as Answered[], broken: 0 }
  const [requests, besideMs] = await Promise.all([
    flood({
      url: edge.address,
      perSecond: (TIMES * capacity) / BATCH,
      forMs,
      connections: CONNECTIONS,
      next: () => nextBatch().bytes,
      onAnswer: (answer) => found.answers.push(answer),
      onBroken: () => {
        found.broken += 1
      },
    }),
    pace(edge.address, BESIDE_PER_SECOND, forMs, 40, beside),
  ])
  const mostBytes = memory.stop()
  const recoveredMs = await recover(edge, beside, percentile(calmMs, 0.5))
  await settled(edge)
  const after = await countsOf(edge)
  await edge.stop()
  return {
    ...found,
    capacity,
    offered: (requests * BATCH * 1000) / forMs,
    forMs,
    calmMs,
    besideMs,
    mostBytes,
    accepted: found.answers.reduce((sum, { status, stored }) => sum + (status === 202 ? stored : 0), 0),
    counted: after.counted - before.counted,
    stored: after.stored - before.stored,
    recoveredMs,
  }
}

/** Prepares batches and returns them in turn, because the load generator must not limit the figures. */
async function batchesOf(edge: Edge): Promise<() => Request> {
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publishCampaign()
  const batches = Array.from({ length: BATCHES }, (_, at) =>
    customer.trackBatch(Array.from({ length: BATCH }, (_none, n) => `over_${at}_${n % 50}`)),
  )
  let sent = 0
  return () => batches[sent++ % BATCHES] as Request
}

function watchMemory(edge: Edge) {
  let most = 0
  const look = async () => {
    most = Math.max(most, await readNumber(edge, 'process_resident_memory_bytes'))
  }
  const timer = setInterval(() => void look().catch(String), 500)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

async function countsOf(edge: Edge) {
  return { counted: await readNumber(edge, 'nc_events_accepted_total{outcome="new"}'), stored: await countStored(edge) }
}

/** Builds single events of the environment that does not flood. */
function otherEnvironment({ address, dataDir }: Edge): () => Request {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Record<
    'environments',
    Record<'prod', { sdkSecretKey: string }>
  >
  const { sdkSecretKey } = demo.environments.prod
  const headers = { authorization: `Bearer ${sdkSecretKey}` }
  let number = 0
  return () => {
    number += 1
    const body = JSON.stringify({ sdkSecretKey, name: 'bench.beside', userId: `u_${number % 100}` })
    return { bytes: prepare('POST', `${address}/v1/events/track`, headers, body), status: 202 }
  }
}

async function readNumber({ address }: Edge, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? 0)
}

/**
 * Returns the messages that the store's counters report as delivered; each is written in one transaction with its
 * event.
 */
async function countStored({ address, dataDir }: Edge): Promise<number> {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Record<
    'environments',
    Record<'dev', { sdkSecretKey: string }>
  >
  const headers = { authorization: `Bearer ${demo.environments.dev.sdkSecretKey}` }
  const list = (await (await fetch(`${address}/v1/campaigns?limit=100`, { headers })).json()) as {
    data: { id: string; key: string }[]
  }
  const id = list.data.find(({ key }) => key === 'bench-tracked')?.id
  const stats = (await (await fetch(`${address}/v1/campaigns/${id}/stats`, { headers })).json()) as {
    steps: { count: number }[]
  }
  return stats.steps[0]?.count ?? 0
}

async function settled(edge: Edge): Promise<void> {
  while ((await readNumber(edge, 'nc_commit_backlog_plans')) > 0)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Waits until ten events in a row take at most three times the calm median, or 20 ms. */
async function recover(edge: Edge, beside: () => Request, calmMs: number): Promise<number> {
  const from = performance.now()
  for (let quick = 0; quick < 10 && performance.now() - from < 60_000; ) {
    const [tookMs = Infinity] = await pace(edge.address, 1000, 1, 1, beside)
    quick = tookMs <= Math.max(20, 3 * calmMs) ? quick + 1 : 0
  }
  return performance.now() - from
}
