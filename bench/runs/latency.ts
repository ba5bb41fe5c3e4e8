// From the tracked event to the frame at the client, at 500 events/s; on one node and, with PostgreSQL, across two.

import { type Bench, type Benchmark, pair, type Row } from '../benchmark.ts'
import { createCustomer } from '../customer.ts'
import { measureFrames } from '../frames.ts'
import { median, percentile } from '../numbers.ts'

const PER_SECOND = 500

export const latency: Benchmark = {
  name: 'latency',
  measures: `tracked event → frame at the client, ${PER_SECOND}/s`,
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      bench.say(`${engine}, one node`)
      const edge = await bench.edges.start({ engine })
      const customer = createCustomer(edge.address, edge.dataDir)
      await customer.publishCampaign()
      const nodes = { tracked: { customer, url: edge.address }, watched: customer }
      rows.push(await measure(bench, `${engine}, one node: p50 / p99`, nodes, 5, 30))
      if (engine === 'postgres') {
        bench.say('postgres, two nodes')
        const other = await bench.edges.start({ beside: edge })
        const across = { ...nodes, watched: createCustomer(other.address, edge.dataDir) }
        rows.push(
          await measure(bench, `${engine}, events to one node and sockets at another: p50 / p99`, across, 8, 40),
        )
      }
      await bench.edges.clear()
    }
    return { rows, notes: ['Medians of three runs. Each frame carries the instant at which its event was due.'] }
  },
}

async function measure(
  { pick }: Bench,
  what: string,
  nodes: Parameters<typeof measureFrames>[0],
  aimP50: number,
  aimP99: number,
): Promise<Row> {
  const p50: number[] = []
  const p99: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const latencies = await measureFrames(nodes, PER_SECOND, pick({ rehearsal: 500, quick: 2000, full: 8000 }))
    p50.push(percentile(latencies, 0.5))
    p99.push(percentile(latencies, 0.99))
  }
  const isMet = median(p50) <= aimP50 && median(p99) <= aimP99
  return { what, value: pair(median(p50), median(p99)), aim: `≤ ${aimP50} / ${aimP99} ms`, isMet }
}
