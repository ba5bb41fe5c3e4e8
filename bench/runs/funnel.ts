// Measures the funnel over counters of 10 million messages (quick profile 1 million) of four nodes and thirty days, on both engines.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, type Benchmark, pair, type Row, whole } from '../benchmark.ts'
import { createCustomer } from '../customer.ts'
import { pace } from '../load.ts'
import { callNc } from '../nc.ts'
import { percentile } from '../numbers.ts'
import type { Engine } from '../process.ts'
import { seedCounters } from '../seed-counters.ts'

const PER_SECOND = 50
const WINDOWS = ['24h', '7d', '30d', 'all']

export const funnel: Benchmark = {
  name: 'funnel',
  measures: 'the funnel over seeded counters of many messages',
  async run(bench) {
    const folder = mkdtempSync(join(process.env.BENCH_DATA ?? tmpdir(), 'nc-bench-funnel-'))
    try {
      const rows: Row[] = []
      for (const engine of bench.edges.engines()) rows.push(...(await measure(bench, engine, folder)))
      return {
        rows,
        notes: ['Counters of 3 versions, 4 branches and 4 nodes for each hour, put into an export and imported.'],
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function measure({ pick, edges, log }: Bench, engine: Engine, folder: string): Promise<Row[]> {
  const messages = pick({ rehearsal: 10_000, quick: 1_000_000, full: 10_000_000 })
  const days = pick({ rehearsal: 1, quick: 30, full: 30 })
  const empty = await edges.start()
  const campaign = await createCustomer(empty.address, empty.dataDir).publishCampaign()
  await empty.stop()
  const [bare, seeded] = [join(folder, `${engine}-bare.ndjson`), join(folder, `${engine}-seeded.ndjson`)]
  await callNc(empty.settings, 'export', '--to', bare)
  const seed = { campaignKey: 'bench-tracked', messages, days, versions: 3, branches: 4, nodes: 4 }
  const counters = await seedCounters(bare, seeded, seed)
  log(`${engine}: ${whole(counters)} counters of ${whole(messages)} messages`)

  const settings = await edges.settle({ engine, like: empty })
  for (const file of ['demo.json', 'master.key']) {
    const from = join(empty.dataDir, file)
    if (existsSync(from)) copyFileSync(from, join(settings.DATA_DIR, file))
  }
  await callNc(settings, 'import', '--from', seeded)
  const edge = await edges.start({ settings })
  const customer = createCustomer(edge.address, edge.dataDir)
  const pathOf = (window: string) => `/v1/campaigns/${campaign}/stats?window=${window}&channel=inbox`
  const { steps } = await customer.ask<{ steps: { count: number }[] }>(pathOf('all'))
  const counted = steps[0]?.count ?? 0
  if (Math.abs(counted - messages) > messages / 100) throw new Error(`${counted} of ${messages} messages are counted`)
  const rows: Row[] = [
    { what: `${edge.engine}: messages counted, in counters`, value: `${whole(counted)}, ${whole(counters)}` },
  ]
  for (const window of WINDOWS) {
    const latencies = await pace(edge.address, PER_SECOND, pick({ rehearsal: 300, quick: 1500, full: 6000 }), 4, () =>
      customer.read(pathOf(window)),
    )
    const value = pair(percentile(latencies, 0.5), percentile(latencies, 0.99))
    rows.push({ what: `… funnel, window ${window}, ${PER_SECOND}/s: p50 / p99`, value })
  }
  await edge.stop()
  return rows
}
