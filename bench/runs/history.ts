// Measures pages of the delivery history over 1 M stored records (full profile 10 M) for each filter, on both engines.

import { type Bench, type Benchmark, millis, pair, type Row, whole } from '../benchmark.ts'
import { type Customer, createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { pace, saturate } from '../load.ts'
import { percentile } from '../numbers.ts'
import { seededUser } from '../seed.ts'

const PER_SECOND = 50
const WARM_MS = 300
const LIMIT = 100
const AIM_MS = 50
/** The rare campaign has one of so many records, in two branches. */
const RARITY = 1000
/** Pages that are read to reach an older part of the list. */
const DEEP_PAGES = 20

export const history: Benchmark = {
  name: 'history',
  measures: 'pages of the delivery history with many records stored',
  async run(bench) {
    const stored = bench.pick({ rehearsal: 2000, quick: 1_000_000, full: 10_000_000 })
    const rows: Row[] = [{ what: 'Records stored', value: whole(stored) }]
    for (const engine of bench.edges.engines()) {
      const edge = await bench.edges.start({ engine, stored })
      rows.push(...(await measure(bench, edge, stored)))
      await bench.edges.clear()
    }
    return { rows, notes: [`Pages of ${LIMIT}, ${PER_SECOND}/s. "none" filters match no record, "rare" ones 0.1 %.`] }
  },
}

interface Page {
  data: { campaignId: string; status: string; messageId: string; correlationId: string; eventId: string }[]
  nextCursor: string | null
}

async function measure({ pick, log }: Bench, edge: Edge, stored: number): Promise<Row[]> {
  const customer = createCustomer(edge.address, edge.dataDir)
  const common = (await readPage(customer, '')).data[0]
  if (common === undefined) throw new Error('no record is stored')
  const rare = await storeRare(edge, customer, Math.ceil(stored / RARITY))
  const forMs = pick({ rehearsal: 200, quick: 4000, full: 20_000 })
  const rows: Row[] = []
  for (const [name, query] of Object.entries(await filtersOf(customer, common, rare))) {
    const path = `/v1/deliveries?limit=${LIMIT}&${query}`
    const latencies = await pace(edge.address, PER_SECOND, forMs, 4, () => customer.read(path), WARM_MS)
    const p99 = percentile(latencies, 0.99)
    rows.push({
      what: `${edge.engine}: ${name}, p50 / p99`,
      value: pair(percentile(latencies, 0.5), p99),
      aim: `p99 ≤ ${AIM_MS} ms`,
      isMet: p99 <= AIM_MS,
    })
    log(`${edge.engine}: ${name} p99 ${millis(p99)}`)
  }
  return rows
}

const readPage = (customer: Customer, query: string) =>
  customer.ask<Page>(`/v1/deliveries?limit=${LIMIT}${query === '' ? '' : `&${query}`}`)

/** Stores the records of a second campaign with two branches. @returns its id */
async function storeRare(edge: Edge, customer: Customer, count: number): Promise<string> {
  const step = (id: string) => ({ id, type: 'inbox', title: 'Rare {{ event.properties.at }}' })
  const branches = ['a', 'b'].map((key) => ({ key, weight: 50, steps: [step(`message-${key}`)] }))
  const steps = [{ id: 'split', type: 'branch', branches }]
  const id = await customer.publish({ key: 'bench-rare', name: 'Rare', trigger: { event: 'bench.rare' }, steps })
  let sent = 0
  const next = () => {
    const size = Math.min(500, count - sent)
    const events = Array.from({ length: size }, (_, at) => ({ name: 'bench.rare', userId: seededUser(sent + at) }))
    sent += size
    return customer.trackEvents(events)
  }
  await saturate(edge.address, 1, { requests: Math.ceil(count / 500) }, next)
  const { data } = await readPage(customer, `campaignId=${id}`)
  if (data.length < Math.min(count, LIMIT)) throw new Error(`${data.length} records of the rare campaign are found`)
  return id
}

/** @returns The query of each filter of the dashboard, by its name. */
async function filtersOf(customer: Customer, common: Page['data'][number], rare: string) {
  return {
    'no filter': '',
    'an older page': `cursor=${encodeURIComponent(await findDeepCursor(customer))}`,
    'a user': `userId=${seededUser(97)}`,
    'campaign, most': `campaignId=${common.campaignId}`,
    'campaign, rare': `campaignId=${rare}`,
    'channel, all': 'channel=inbox',
    'channel, none': 'channel=email',
    'status, all': `status=${common.status}`,
    'status, none': 'status=failed',
    'engagement, all': 'engagement=none',
    'engagement, none': 'engagement=clicked',
    'branch, most': 'branch=',
    'branch, rare': 'branch=a',
    'campaign, branch and engagement': `campaignId=${rare}&branch=a&engagement=none`,
    'user and status, none': `userId=${seededUser(97)}&status=failed`,
    'last 24 hours': 'window=24h',
    'time range, none': 'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z',
    'a message': `messageId=${common.messageId}`,
    'a correlation id': `correlationId=${common.correlationId}`,
    'an event': `eventId=${common.eventId}`,
  }
}

async function findDeepCursor(customer: Customer): Promise<string> {
  let cursor = ''
  for (let page = 0; page < DEEP_PAGES; page += 1) {
    const { nextCursor } = await readPage(customer, cursor === '' ? '' : `cursor=${encodeURIComponent(cursor)}`)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return cursor
}
