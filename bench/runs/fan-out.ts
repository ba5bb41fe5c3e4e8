// Measures one event to a topic of many users: the time until each has a message, and its cost to other requests.

import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Benchmark, pair, type Row, whole } from '../benchmark.ts'
import { openConnection } from '../connection.ts'
import { createCustomer } from '../customer.ts'
import { pace } from '../load.ts'
import { percentile } from '../numbers.ts'
import type { Engine } from '../process.ts'

const CHANGES_A_CALL = 1000
const BESIDE_PER_SECOND = 100
/** Interval of the funnel reads that check whether all messages are there. */
const LOOK_EVERY_MS = 20

export const fanOut: Benchmark = {
  name: 'fan-out',
  measures: 'one event to a topic of many users',
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      for (const users of [1000, bench.pick({ rehearsal: 5000, quick: 20_000, full: 100_000 })])
        rows.push(...(await measure(bench, engine, users)))
    }
    return { rows }
  },
}

async function measure({ edges, log }: Bench, engine: Engine, users: number): Promise<Row[]> {
  const edge = await edges.start({ engine })
  const customer = createCustomer(edge.address, edge.dataDir)
  const campaign = await customer.publishCampaign()
  log(`${engine}: ${whole(users)} users subscribe`)
  for (let from = 0; from < users; from += CHANGES_A_CALL) {
    const count = Math.min(CHANGES_A_CALL, users - from)
    await customer.subscribe(
      'all',
      Array.from({ length: count }, (_, at) => `topic_${from + at}`),
    )
  }
  const delivered = async () => {
    const path = `/v1/campaigns/${campaign}/stats?window=all&channel=inbox`
    return (await customer.ask<{ steps: { name: string; count: number }[] }>(path)).steps[0]?.count ?? 0
  }
  // The funnel counts only the topic's messages, because nothing else uses this campaign.
  let isDone = false
  const beside = (async () => {
    const latencies: number[] = []
    while (!isDone) {
      latencies.push(...(await pace(edge.address, BESIDE_PER_SECOND, 500, 4, () => customer.read('/v1/campaigns'))))
    }
    return latencies
  })()
  const connection = await openConnection(edge.address)
  const begun = performance.now()
  await connection.send(customer.trackTopic('all').bytes)
  const acceptedMs = performance.now() - begun
  while ((await delivered()) < users) await delay(LOOK_EVERY_MS)
  const seconds = (performance.now() - begun) / 1000
  isDone = true
  const latencies = await beside
  connection.close()
  await edge.stop()
  return [
    {
      what: `${engine}, ${whole(users)} users: accepted / all have it`,
      value: `${acceptedMs.toFixed(1)} ms / ${seconds.toFixed(2)} s, ${whole(users / seconds)} users/s`,
    },
    {
      what: `… reads with the key meanwhile, ${BESIDE_PER_SECOND}/s: p50 / p99`,
      value: pair(percentile(latencies, 0.5), percentile(latencies, 0.99)),
    },
  ]
}
