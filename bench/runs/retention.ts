// Measures the cost of retention of many records (50 k, full profile 300 k) to tracking.

import { join } from 'node:path'
import { type Benchmark, pair, ratio, whole } from '../benchmark.ts'
import { createCustomer } from '../customer.ts'
import { type Edge, ROOT } from '../edges.ts'
import { pace } from '../load.ts'
import { callNc } from '../nc.ts'
import { percentile } from '../numbers.ts'
import { seededUser, storeMessages } from '../seed.ts'

const PER_SECOND = 500
/** Older than the 90 days that an organisation keeps. */
const AGE_MS = 100 * 24 * 60 * 60 * 1000
/** Of a record, retention counts the tracked event and the message, which takes its run along. */
const ROWS_OF_EACH = 2

export const retention: Benchmark = {
  name: 'retention',
  measures: `retention while ${PER_SECOND} events/s are tracked`,
  async run(bench) {
    const stored = bench.pick({ rehearsal: 2000, quick: 50_000, full: 300_000 })
    const forMs = bench.pick({ rehearsal: 1000, quick: 5000, full: 20_000 })
    const env = {
      NODE_OPTIONS: `--require ${join(ROOT, 'bench/runs/shift-clock.cjs')}`,
      BENCH_CLOCK_SHIFT_MS: String(-AGE_MS),
    }
    const past = await bench.edges.start({ env })
    await storeMessages(past.address, past.dataDir, stored, true, bench.log)
    bench.log('tracking beside records that are kept')
    const before = await track(past, forMs)
    await past.stop()

    bench.log('tracking beside records that go')
    // SQLite alone: nodes take the time of PostgreSQL, which cannot be set back.
    const edge = await bench.edges.start({ dataDir: past.dataDir })
    const during = await track(edge, forMs)
    await edge.stop()
    bench.log(
      `p99 ${Math.round(percentile(before, 0.99))} ms before, ${Math.round(percentile(during, 0.99))} ms during; removing the rest`,
    )
    // Counts the remaining records by removing them, as nothing else removes any now.
    const rest = await callNc<{ rows: number }>(edge.settings, 'retention', 'run')
    const old = stored + before.length
    const removed = Math.max(0, old - rest.rows / ROWS_OF_EACH)
    const p99 = { before: percentile(before, 0.99), during: percentile(during, 0.99) }
    return {
      rows: [
        { what: 'Records, all older than they are kept', value: whole(old) },
        { what: 'POST p50 / p99 before', value: pair(percentile(before, 0.5), p99.before) },
        { what: 'POST p50 / p99 during', value: pair(percentile(during, 0.5), p99.during) },
        { what: '… p99 during, of before', value: ratio(p99.during / p99.before) },
        {
          what: `Records removed in the ${forMs / 1000} s`,
          value: `${whole(removed)}, ${whole((removed * 1000) / forMs)}/s`,
        },
        { what: 'Of these left for the command line at the end', value: whole(rest.rows / ROWS_OF_EACH) },
      ],
      notes: [
        'A record is a tracked event with its run and its message. Retention takes one part in five of the time at most.',
      ],
    }
  },
}

function track(edge: Edge, forMs: number): Promise<number[]> {
  const customer = createCustomer(edge.address, edge.dataDir)
  let at = 0
  return pace(edge.address, PER_SECOND, forMs, 32, () => {
    at += 7919
    return customer.track(seededUser(at))
  })
}
