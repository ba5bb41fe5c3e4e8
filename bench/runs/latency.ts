// Measures the time from tracked event to frame at 500 events/s, on one node and, with PostgreSQL, across two.

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
      bench.log(`${engine}, one node`)
      const edge = await bench.edges.start({ engine })
      const customer = createCustomer(edge.address, edge.dataDir)
      await customer.publishCampaign()
      const nodes = { tracked: { customer, url: edge.address }, watched: customer }
      rows.push(await measureFirst(bench, `${engine}, one node that has just started: p50 / p99`, nodes))
      rows.push(await measure(bench, `${engine}, one node: p50 / p99`, nodes, 5, 30))
      if (engine === 'postgres') {
        bench.log('postgres, two nodes')
        const other = await bench.edges.start({ beside: edge })
        const across = { ...nodes, watched: createCustomer(other.address, edge.dataDir) }
        rows.push(await measureFirst(bench, `${engine}, sockets at a node that has just started: p50 / p99`, across))
        rows.push(
          await measure(bench, `${engine}, events to one node and sockets at another: p50 / p99`, across, 8, 40),
        )
      }
      await bench.edges.clear()
    }
    const notes = [
      'Medians of three runs. Each frame carries the instant at which its event was due.',
      'The first run of a process, in which its code is compiled, stands by itself.',
    ]
    return { rows, notes }
  },
}

type Nodes = Parameters<typeof measureFrames>[0]

function measureOnce({ pick }: Bench, nodes: Nodes): Promise<number[]> {
  return measureFrames(nodes, PER_SECOND, pick({ rehearsal: 500, quick: 1500, full: 6000 }))
}

async function measureFirst(bench: Bench, what: string, nodes: Nodes): Promise<Row> {
  const latencies = await measureOnce(bench, nodes)
  return { what, value: pair(percentile(latencies, 0.5), percentile(latencies, 0.99)) }
}

async function measure(bench: Bench, what: string, nodes: Nodes, aimP50: number, aimP99: number): Promise<Row> {
  const p50: number[] = []
  const p99: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const latencies = await measureOnce(bench, nodes)
    p50.push(percentile(latencies, 0.5))
    p99.push(percentile(latencies, 0.99))
  }
  const isMet = median(p50) <= aimP50 && median(p99) <= aimP99
  return { what, value: pair(median(p50), median(p99)), aim: `≤ ${aimP50} / ${aimP99} ms`, isMet }
}
