// Memory of a server that nobody uses, a minute after an unseeded start.

import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, mebibytes, type Row } from '../benchmark.ts'
import { readVitals } from '../metrics.ts'

const WAIT_MS = 60_000
const AIM_MIB = 120

export const idleMemory: Benchmark = {
  name: 'idle-memory',
  measures: 'memory of the idle server, 60 s after an unseeded start',
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      const edge = await bench.edges.start({ engine, env: { SEED_DEMO: 'false' } })
      bench.say(`${edge.engine}: waits ${WAIT_MS / 1000} s`)
      await delay(WAIT_MS)
      const { residentBytes } = await readVitals(edge.address)
      const isMet = residentBytes <= AIM_MIB * 2 ** 20
      rows.push({ what: edge.engine, value: mebibytes(residentBytes), aim: `≤ ${AIM_MIB} MiB`, isMet })
      await edge.stop()
    }
    return { rows }
  },
}
