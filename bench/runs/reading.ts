// Measures reads over many stored messages (50 k, full profile 1 M) on both engines: the inbox page with counts, in turn
// with a bare server that answers the same bytes, and the CSV export.

import { join } from 'node:path'
import { type Bench, type Benchmark, mebibytes, pair, type Row, whole } from '../benchmark.ts'
import { prepare } from '../connection.ts'
import { createCustomer, type Session } from '../customer.ts'
import { type Edge, ROOT } from '../edges.ts'
import { pace, type Request } from '../load.ts'
import { readVitals } from '../metrics.ts'
import { percentile } from '../numbers.ts'
import { seededUser } from '../seed.ts'

const PAGES_PER_SECOND = 100
const PAGE_P99_MS = 5
const WARM_MS = 500

export const reading: Benchmark = {
  name: 'reading',
  measures: 'inbox pages and the CSV export with many messages stored',
  async run(bench) {
    const stored = bench.pick({ rehearsal: 2000, quick: 50_000, full: 1_000_000 })
    const rows: Row[] = [{ what: 'Messages stored', value: whole(stored) }]
    for (const engine of bench.edges.engines()) {
      const edge = await bench.edges.start({ engine, stored })
      bench.log(`${edge.engine}: ${whole(stored)} messages are there`)
      rows.push({ what: `**${edge.engine}**`, value: '' })
      rows.push(...(await measurePages(bench, edge)), ...(await measureCsv(edge)))
      await bench.edges.clear()
    }
    return { rows }
  },
}

async function measurePages({ pick, edges }: Bench, edge: Edge): Promise<Row[]> {
  const customer = createCustomer(edge.address, edge.dataDir)
  const sessions: Session[] = []
  for (let at = 0; at < 200; at += 1) sessions.push(await customer.signIn(seededUser(at * 97)))
  let reads = 0
  const session = () => {
    reads += 1
    return sessions[reads % sessions.length] as Session
  }
  const text = await pageOf(edge, session())
  const bare = await edges.startOther([join(ROOT, 'bench/peers/same-bytes.mjs'), text])
  const readBare = (): Request => ({ bytes: prepare('GET', bare.address, {}), status: 200 })
  const forMs = pick({ rehearsal: 300, quick: 1500, full: 5000 })
  const found = { page: [] as number[], bare: [] as number[], counts: [] as number[] }
  // Short turns, so that a disturbance of the machine meets both servers.
  for (let round = 0; round < pick({ rehearsal: 1, quick: 2, full: 3 }); round += 1) {
    found.bare.push(...(await pace(bare.address, PAGES_PER_SECOND, forMs, 8, readBare, WARM_MS)))
    found.page.push(
      ...(await pace(edge.address, PAGES_PER_SECOND, forMs, 8, () => customer.readInbox(session()), WARM_MS)),
    )
    found.counts.push(
      ...(await pace(edge.address, PAGES_PER_SECOND, forMs, 8, () => customer.readCounts(session()), WARM_MS)),
    )
  }
  await bare.stop()
  const both = (latencies: number[]) => pair(percentile(latencies, 0.5), percentile(latencies, 0.99))
  const p99 = percentile(found.page, 0.99)
  return [
    {
      what: `Inbox page of 20 with its counts, ${PAGES_PER_SECOND}/s: p50 / p99`,
      value: both(found.page),
      aim: `p99 ≤ ${PAGE_P99_MS} ms`,
      isMet: p99 <= PAGE_P99_MS,
    },
    {
      what: `… a bare node:http server in turn with it, the same ${whole(text.length)} bytes and load: p50 / p99`,
      value: both(found.bare),
    },
    {
      what: 'Counts alone, one row (changes since the newest position): p50 / p99',
      value: both(found.counts),
    },
  ]
}

async function pageOf({ address }: Edge, { sessionToken }: Session): Promise<string> {
  const answer = await fetch(`${address}/v1/inbox/messages?limit=20`, {
    headers: { authorization: `Bearer ${sessionToken}` },
  })
  return answer.text()
}

/** Samples the memory while rows stream. Reports the maximum above the value before. */
async function measureCsv(edge: Edge): Promise<Row[]> {
  const customer = createCustomer(edge.address, edge.dataDir)
  const before = (await readVitals(edge.address)).residentBytes
  let most = before
  const watch = setInterval(async () => {
    most = Math.max(most, (await readVitals(edge.address)).residentBytes)
  }, 500)
  const begun = performance.now()
  let lines = 0
  let bytes = 0
  for await (const chunk of await customer.stream('/v1/deliveries/export.csv')) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) lines += 1
  }
  clearInterval(watch)
  const seconds = (performance.now() - begun) / 1000
  return [
    { what: 'CSV export, rows/s', value: `${whole(lines / seconds)} (${whole(lines - 1)} rows, ${mebibytes(bytes)})` },
    { what: 'Memory of the server before / most meanwhile', value: `${mebibytes(before)} / ${mebibytes(most)}` },
  ]
}
