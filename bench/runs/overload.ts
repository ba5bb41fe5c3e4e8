// Measures ten times the capacity for 30 s from one environment beside another's events: answers, latencies, memory,
// whether everything acknowledged is stored, and the recovery.

import { type Benchmark, type Finding, mebibytes, millis, pair, type Row, whole } from '../benchmark.ts'
import { type Overloaded, overloadOne } from '../loads/overload-load.ts'
import { percentile } from '../numbers.ts'

const EXPECTED = [202, 503, 429]
const SLOWEST_MS = 5000
const RECOVERY_MS = 10_000
const MOST_BYTES = 2 ** 30

export const overload: Benchmark = {
  name: 'overload',
  measures: 'ten times the capacity in batches of 100, from one environment beside another',
  async run(bench) {
    const rows: Row[] = []
    const notes: string[] = []
    // The quick profile leaves PostgreSQL out.
    for (const engine of bench.profile === 'quick' ? (['sqlite'] as const) : bench.edges.engines()) {
      const found = await overloadOne(bench, engine)
      rows.push(...describeAnswers(engine, found), ...describeCost(found))
      const { accepted, counted, stored } = found
      notes.push(
        `${engine}: ${whole(accepted)} events acknowledged; the server counted ${whole(counted)} with those of the other environment, the funnel in the store gained ${whole(stored)}. Load and server share the cores.`,
      )
    }
    return { rows, notes } satisfies Finding
  },
}

function describeAnswers(engine: string, { capacity, offered, forMs, answers, broken }: Overloaded): Row[] {
  const odd = answers.filter(({ status, isMute }) => !EXPECTED.includes(status) || isMute).length + broken
  const took = answers.map(({ tookMs }) => tookMs)
  const slowest = took.reduce((most, ms) => Math.max(most, ms), 0)
  const shares = EXPECTED.map((status) => answers.filter((answer) => answer.status === status).length / answers.length)
  return [
    { what: `**${engine}**: capacity, events/s`, value: whole(capacity) },
    { what: 'Offered, events/s', value: whole(offered) },
    { what: 'Answered, requests/s', value: whole((answers.length * 1000) / forMs) },
    { what: '202 / 503 / 429', value: shares.map((share) => `${Math.round(share * 100)} %`).join(' / ') },
    {
      what: 'Other answers, broken connections, refusals without `Retry-After`',
      value: whole(odd),
      aim: '0',
      isMet: odd === 0,
    },
    { what: 'An answer p50 / p99', value: pair(percentile(took, 0.5), percentile(took, 0.99)) },
    {
      what: 'The slowest answer',
      value: millis(slowest),
      aim: `≤ ${millis(SLOWEST_MS)}`,
      isMet: slowest <= SLOWEST_MS,
    },
  ]
}

function describeCost(found: Overloaded): Row[] {
  const { forMs, accepted, stored, calmMs, besideMs, mostBytes, recoveredMs } = found
  const lost = Math.max(0, accepted - stored)
  const latency = (all: number[]) => pair(percentile(all, 0.5), percentile(all, 0.99))
  return [
    { what: 'Committed meanwhile, events/s', value: whole((accepted * 1000) / forMs) },
    { what: 'The other environment p50 / p99, calm', value: latency(calmMs) },
    { what: '… beside the flood, every event answered 202', value: latency(besideMs) },
    {
      what: 'Most memory of the process',
      value: mebibytes(mostBytes),
      aim: `≤ ${mebibytes(MOST_BYTES)}`,
      isMet: mostBytes <= MOST_BYTES,
    },
    { what: 'Acknowledged events that the store does not have', value: whole(lost), aim: '0', isMet: lost === 0 },
    {
      what: 'As quick as before after',
      value: millis(recoveredMs),
      aim: `≤ ${millis(RECOVERY_MS)}`,
      isMet: recoveredMs <= RECOVERY_MS,
    },
  ]
}
