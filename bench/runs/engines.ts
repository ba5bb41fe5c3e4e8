// Compares PostgreSQL with SQLite under the same load, round by round, and with the limit of each engine.

import { join } from 'node:path'
import { type Benchmark, type Row, ratio, whole } from '../benchmark.ts'
import { createCustomer } from '../customer.ts'
import { ROOT } from '../edges.ts'
import { saturate } from '../load.ts'
import { median } from '../numbers.ts'

const BATCH = 100
const USERS = 1000
const SINGLE_AIM = 0.8
const BATCH_AIM = 0.4

export const engines: Benchmark = {
  name: 'engines',
  measures: "PostgreSQL's rate of SQLite's, single events and batches of 100",
  async run(bench) {
    const roundMs = bench.pick({ rehearsal: 200, quick: 1200, full: 4000 })
    const lanes = []
    for (const engine of ['sqlite', 'postgres'] as const) {
      const edge = await bench.edges.start({ engine })
      const customer = createCustomer(edge.address, edge.dataDir)
      await customer.publishCampaign()
      const { DATA_DIR, DATABASE_URL = DATA_DIR } = await bench.edges.settle({ engine })
      const limit = await bench.edges.startOther([join(ROOT, 'bench/peers/limit-server.mjs'), DATABASE_URL])
      lanes.push({ edge, customer, limit, single: [] as number[], batch: [] as number[], bare: [] as number[], at: 0 })
    }
    const rounds = bench.pick({ rehearsal: 1, quick: 3, full: 5 })
    for (let round = -1; round < rounds; round += 1) {
      for (const lane of lanes) {
        const { edge, customer, limit } = lane
        const user = () => {
          lane.at += 1
          return `bench_${lane.at % USERS}`
        }
        const batch = () => customer.trackBatch(Array.from({ length: BATCH }, user))
        const single = await saturate(edge.address, 64, roundMs, () => customer.track(user()))
        const bare = await saturate(limit.address, 64, roundMs / 2, () => customer.track(user()))
        const batches = BATCH * (await saturate(edge.address, 8, roundMs, batch))
        // The first round warms up.
        if (round === -1) continue
        lane.single.push(single)
        lane.batch.push(batches)
        lane.bare.push(bare)
      }
      if (round >= 0) bench.log(`round ${round + 1} of ${rounds}`)
    }
    const [sqlite, postgres] = lanes
    if (sqlite === undefined || postgres === undefined) throw new Error('two engines are compared')
    type Kind = 'single' | 'batch' | 'bare'
    const shareOf = (kind: Kind) => median(postgres[kind].map((rate, at) => rate / (sqlite[kind][at] ?? Number.NaN)))
    const compare = (kind: Kind, aim: number): Pick<Row, 'value' | 'aim' | 'isMet'> => {
      const value = shareOf(kind)
      return { value: ratio(value), aim: `≥ ${aim}`, isMet: value >= aim }
    }
    const both = (kind: Kind) => `${whole(median(sqlite[kind]))} / ${whole(median(postgres[kind]))}`
    return {
      rows: [
        { what: 'Single events/s, 64 connections: SQLite / PostgreSQL', value: both('single') },
        { what: '… PostgreSQL of SQLite', ...compare('single', SINGLE_AIM) },
        { what: 'Limit: single events/s, one row each and nothing else: SQLite / PostgreSQL', value: both('bare') },
        { what: '… PostgreSQL of SQLite', value: ratio(shareOf('bare')) },
        { what: 'Events/s in batches of 100: SQLite / PostgreSQL', value: both('batch') },
        { what: '… PostgreSQL of SQLite', ...compare('batch', BATCH_AIM) },
      ],
      notes: [
        'The limit is bare node:http, JSON.parse and one row of text for each event, committed in groups before the answer.',
        'PostgreSQL runs on the same machine and shares its cores; fsync and full_page_writes are on, shared_buffers is 512 MB.',
      ],
    }
  },
}
