// Measures deliveries of a platform, verified and stored as events, beside the same events tracked over the API.

import { createHmac } from 'node:crypto'
import { type Bench, type Benchmark, judged, type Row, ratio, whole } from '../benchmark.ts'
import { prepare } from '../connection.ts'
import { type Customer, createCustomer } from '../customer.ts'
import { type Request, saturate } from '../load.ts'
import { median } from '../numbers.ts'
import type { Engine } from '../process.ts'
import { processorMicros } from '../processor.ts'

const RATIO_AIM = 0.7
const CONNECTIONS = 64
const USERS = 1000
const EVENT = 'bench.tracked'
const TYPE = 'payment_intent.succeeded'

export const connectors: Benchmark = {
  name: 'connectors',
  measures: 'deliveries/s at a source of Stripe, verified and stored, beside single tracked events',
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      rows.push(...(await measure(bench, engine)))
      await bench.edges.clear()
    }
    return {
      rows,
      notes: [
        `All become the same event of one inbox campaign, over ${CONNECTIONS} connections; each has an id of its own. Medians of rounds in turn, the ratio of each turn. Requests are built and signed before their round.`,
        'A delivery has a known id for seven days, as an event with an idempotency key has for a day: the second row is what that costs.',
      ],
    }
  },
}

/** The ways of an event, in the order of a turn. */
const WAYS = ['tracked', 'withKey', 'delivered'] as const
type Way = (typeof WAYS)[number]
type Build = () => Request

interface Measured {
  perSecond: number
  /** Processor time of one event, in µs. */
  micros: number
}

async function measure(bench: Bench, engine: Engine): Promise<Row[]> {
  const edge = await bench.edges.start({ engine })
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publishCampaign()
  const build = await createWays(edge.address, customer)
  const round = async (way: Way, count: number): Promise<Measured> => {
    const requests = Array.from({ length: count }, build[way])
    const before = processorMicros(edge.pid)
    const perSecond = await saturate(edge.address, CONNECTIONS, { requests: count }, () => requests.pop() as Request)
    return { perSecond, micros: (processorMicros(edge.pid) - before) / count }
  }
  for (const way of WAYS) await round(way, bench.pick({ rehearsal: 200, quick: 10_000, full: 20_000 }))
  const found: Record<Way, Measured[]> = { tracked: [], withKey: [], delivered: [] }
  const rounds = bench.pick({ rehearsal: 1, quick: 5, full: 9 })
  const count = bench.pick({ rehearsal: 200, quick: 10_000, full: 20_000 })
  for (let at = 0; at < rounds; at += 1) {
    for (const way of WAYS) found[way].push(await round(way, count))
    bench.log(`${engine}, round ${at + 1}: ${WAYS.map((way) => whole(found[way][at]?.perSecond ?? 0)).join(' / ')}`)
  }
  return describe(engine, found)
}

/** Creates the source. @returns the request of the next event, by way */
async function createWays(url: string, customer: Customer): Promise<Record<Way, Build>> {
  const mappings = [{ providerEvent: TYPE, event: EVENT }]
  const source = await customer.send<{ id: string; verificationSecret: string }>('/v1/sources', {
    name: 'bench',
    provider: 'stripe',
    mappings,
  })
  const target = `${url}/v1/connectors/stripe/${source.id}`
  let number = 0
  const next = () => {
    number += 1
    const id = `evt_${number.toString().padStart(24, '0')}`
    const properties = {
      object: 'payment_intent',
      customer: `bench_${number % USERS}`,
      orderId: `A-${number}`,
      items: 3,
    }
    return { id, properties }
  }
  const event = (properties: { customer: string }) => ({ name: EVENT, userId: properties.customer, properties })
  return {
    tracked: () => customer.trackEvent(event(next().properties)),
    withKey() {
      const { id, properties } = next()
      return customer.trackEvent({ ...event(properties), idempotencyKey: id })
    },
    delivered() {
      const { id, properties } = next()
      const seconds = Math.floor(Date.now() / 1000)
      const envelope = { id, object: 'event', api_version: '2025-03-31.basil', created: seconds, livemode: true }
      const body = JSON.stringify({ ...envelope, type: TYPE, pending_webhooks: 1, data: { object: properties } })
      const signature = createHmac('sha256', source.verificationSecret).update(`${seconds}.${body}`).digest('hex')
      const headers = { 'stripe-signature': `t=${seconds},v1=${signature}` }
      return { bytes: prepare('POST', target, headers, body), status: 200, repeatsOn: [408, 503] }
    },
  }
}

function describe(engine: Engine, found: Record<Way, Measured[]>): Row[] {
  const middle = (way: Way, key: keyof Measured) => median(found[way].map((one) => one[key]))
  const shareOf = (way: Way) =>
    median(found[way].map(({ perSecond }, at) => perSecond / (found.tracked[at]?.perSecond ?? Number.NaN)))
  const share = shareOf('delivered')
  return [
    { what: `${engine}: tracked events/s, one by one`, value: whole(middle('tracked', 'perSecond')) },
    {
      what: '… with an idempotency key; of those without',
      value: `${whole(middle('withKey', 'perSecond'))}; ${ratio(shareOf('withKey'))}`,
    },
    { what: '… deliveries/s', value: whole(middle('delivered', 'perSecond')) },
    { what: '… of tracked events', ...judged(ratio(share), `≥ ${RATIO_AIM}`, share >= RATIO_AIM) },
    {
      what: '… processor time of the server, µs: tracked / with a key / delivered',
      value: WAYS.map((way) => whole(middle(way, 'micros'))).join(' / '),
    },
  ]
}
