// Measures the memory of an idle server, a minute after an unseeded start.

import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, judged, mebibytes, type Row } from '../benchmark.ts'
import { readVitals } from '../metrics.ts'

const WAIT_MS = 60_000
const AIM_MIB = 120

export const idleMemory: Benchmark = {
  name: 'idle-memory',
  measures: 'memory of the idle server, 60 s after an unseeded start',
  async run(bench) {
    const waitMs = bench.pick({ rehearsal: 1000, quick: WAIT_MS, full: WAIT_MS })
    // All edges run together, because none of them does anything.
    const edges = []
    for (const engine of bench.edges.engines())
      edges.push(await bench.edges.start({ engine, env: { SEED_DEMO: 'false' } }))
    bench.log(`waits ${waitMs / 1000} s`)
    await delay(waitMs)
    const rows: Row[] = []
    for (const edge of edges) {
      const { residentBytes } = await readVitals(edge.address)
      const isMet = residentBytes <= AIM_MIB * 2 ** 20
      rows.push({ what: edge.engine, ...judged(mebibytes(residentBytes), `≤ ${AIM_MIB} MiB`, isMet) })
    }
    return { rows }
  },
}
