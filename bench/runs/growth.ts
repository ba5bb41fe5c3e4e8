// The same load with 10 k, 100 k and (full profile) 1 M messages stored: what a store that grows costs. Rounds alternate.

import { type Benchmark, type Row, ratio, whole } from '../benchmark.ts'
import { createCustomer } from '../customer.ts'
import { saturate } from '../load.ts'
import { median } from '../numbers.ts'
import { seededUser } from '../seed.ts'

const BATCH = 100
const BATCH_AIM = 11_000
const MILLION = 1_000_000

export const growth: Benchmark = {
  name: 'growth',
  measures: 'tracking with more and more stored',
  async run(bench) {
    const sizes = bench.isFull ? [10_000, 100_000, MILLION] : [10_000, 100_000]
    const roundMs = bench.isFull ? 5000 : 2000
    const lanes = []
    for (const stored of sizes) {
      const edge = await bench.edges.start({ stored })
      const customer = createCustomer(edge.address, edge.dataDir)
      lanes.push({ stored, edge, customer, single: [] as number[], batch: [] as number[], at: 0 })
    }
    for (let round = 0; round < 3; round += 1) {
      for (const lane of lanes) {
        const { edge, customer } = lane
        // A prime step: users in no order, as events come.
        const user = () => {
          lane.at += 7919
          return seededUser(lane.at)
        }
        const batch = () => customer.trackBatch(Array.from({ length: BATCH }, user))
        lane.single.push(await saturate(edge.address, 64, roundMs, () => customer.track(user())))
        lane.batch.push(BATCH * (await saturate(edge.address, 8, roundMs, batch)))
      }
      bench.say(`round ${round + 1} of 3`)
    }
    const [first] = lanes
    const rows = lanes.flatMap(({ stored, single, batch }): Row[] => {
      const name = `${whole(stored)} stored`
      const isLargest = stored === MILLION
      const times = (values: number[], base: number[] | undefined) => {
        const value = median(values.map((one, at) => one / (base?.[at] ?? one)))
        return { value: ratio(value), aim: '≥ 0.8', isMet: value >= 0.8 }
      }
      const perSecond = median(batch)
      const own: Row[] = [
        { what: `${name}: single events/s, 64 connections`, value: whole(median(single)) },
        {
          what: `${name}: events/s in batches of 100`,
          value: whole(perSecond),
          ...(isLargest ? { aim: `≥ ${whole(BATCH_AIM)}`, isMet: perSecond >= BATCH_AIM } : {}),
        },
      ]
      if (first === undefined || stored === first.stored) return own
      own.push({ what: '… single events, of the rate at 10,000', ...times(single, first.single) })
      own.push({ what: '… batches, of the rate at 10,000', ...times(batch, first.batch) })
      return own
    })
    return { rows, notes: ['Each size is a process and a data folder of its own; 20,000 users in no order.'] }
  },
}
