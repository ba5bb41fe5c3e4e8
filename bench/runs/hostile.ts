// Measures what customers' worst conditions and templates do to others: how late /healthz answers beside each attack, and the
// latency of a bystander beside a tenant that repeats the worst of them.

import { setTimeout as delay } from 'node:timers/promises'
import { ATTACKS, type Attack } from '../../contract/vectors/attacks.ts'
import { type Bench, type Benchmark, judged, millis, pair, type Row, ratio, whole } from '../benchmark.ts'
import { type Customer, createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { pace } from '../load.ts'
import { median, percentile } from '../numbers.ts'
import { createOtherCustomer } from '../other-environment.ts'
import type { Engine } from '../process.ts'

const MOST_LATE_MS = 50
const MOST_OF_BASELINE = 3
const LOOK_EVERY_MS = 10
/** How long an attack is watched after its answer: its runs may go on by a job. */
const WATCHED_MS = 1500
const EVENTS = 1000
const PER_SECOND = 200
const ROUNDS = 3
/** Attacks of the worst tenant, one after the other. */
const WORST = ['forty messages', 'nested loops', 'keys in loops', 'loops in loops']
const ATTACKS_PER_SECOND = 20

export const hostile: Benchmark = {
  name: 'hostile',
  measures: `${whole(ATTACKS.length)} attacks by conditions, templates and mails`,
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      rows.push(...(await measureLateness(bench, engine)), ...(await measureBystander(bench, engine)))
      await bench.edges.clear()
    }
    return { rows }
  },
}

/** @returns the name of the event that begins the attack; undefined when it is refused as it is saved */
async function publish(customer: Customer, { name, where, steps }: Attack, at: number): Promise<string | undefined> {
  const event = `attack.n${at}`
  const trigger = { event, ...(where !== undefined && { where }) }
  const id = await customer.publish({ key: `attack-${at}`, name, trigger, steps }).catch(() => undefined)
  return id === undefined ? undefined : event
}

async function measureLateness({ edges, log, pick }: Bench, engine: Engine): Promise<Row[]> {
  const edge = await edges.start({ engine })
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.send('/v1/events/track', {
    ...keyOf(customer),
    name: 'x',
    userId: 'u',
    user: { email: 'u@example.org' },
  })
  const watch = watchHealth(edge.address)
  const quietMs = await watch.latest(WATCHED_MS)
  const late: { name: string; ms: number }[] = []
  const chosen = pick({ rehearsal: ATTACKS.slice(0, 2), quick: ATTACKS, full: ATTACKS })
  for (const [at, attack] of chosen.entries()) {
    watch.reset()
    // Checking what is published costs, too, also where it is refused.
    const event = await publish(customer, attack, at)
    if (event !== undefined) {
      const tracked = { name: event, userId: 'u', properties: attack.properties }
      await customer.send('/v1/events/track', { ...keyOf(customer), ...tracked })
    }
    const ms = await watch.latest(WATCHED_MS)
    log(`${engine}, ${attack.name}: ${millis(ms)}`)
    late.push({ name: attack.name, ms })
  }
  await watch.stop()
  await edge.stop()
  const worst = late.reduce((one, other) => (other.ms > one.ms ? other : one), { name: 'none', ms: 0 })
  return [
    { what: `${engine}, latest answer of /healthz without an attack`, value: millis(quietMs) },
    {
      what: `… beside ${late.length} attacks, each alone (${worst.name})`,
      ...judged(millis(worst.ms), `≤ ${MOST_LATE_MS} ms`, worst.ms <= MOST_LATE_MS),
    },
  ]
}

const keyOf = ({ sdkSecretKey }: Customer) => ({ sdkSecretKey })

/** Asks /healthz every few milliseconds; an answer is as late as it came after it was asked for. */
function watchHealth(url: string) {
  let latestMs = 0
  let isStopping = false
  const watching = (async () => {
    while (!isStopping) {
      const askedAt = performance.now()
      await fetch(`${url}/healthz`).then((answer) => answer.arrayBuffer())
      latestMs = Math.max(latestMs, performance.now() - askedAt)
      await delay(LOOK_EVERY_MS)
    }
  })()
  return {
    reset() {
      latestMs = 0
    },
    async latest(ms: number): Promise<number> {
      await delay(ms)
      return latestMs
    },
    async stop() {
      isStopping = true
      await watching
    },
  }
}

async function measureBystander({ edges, log, pick }: Bench, engine: Engine): Promise<Row[]> {
  const events = pick({ rehearsal: 40, quick: EVENTS, full: EVENTS })
  const perSecond = pick({ rehearsal: 20, quick: PER_SECOND, full: PER_SECOND })
  const edge = await edges.start({ engine })
  const worst = createCustomer(edge.address, edge.dataDir)
  const rows: Row[] = []
  for (const kind of ['plain', 'sandboxed'] as const) {
    const bystander = await createOtherCustomer(edge, kind)
    await bystander.publish(campaignOf(kind))
    let number = 0
    const next = () => {
      number += 1
      return bystander.trackEvent({ name: 'by.stander', userId: `u_${number}`, properties: { number } })
    }
    const track = () => pace(edge.address, perSecond, (events / perSecond) * 1000, 4, next)
    await track()
    const alone: number[][] = []
    const beside: number[][] = []
    for (let round = 0; round < pick({ rehearsal: 1, quick: ROUNDS, full: ROUNDS }); round += 1) {
      alone.push(await track())
      const attacks = await keepAttacking(edge, worst)
      beside.push(await track())
      await attacks.stop()
    }
    const [before, during] = [middle(alone, 0.99), middle(beside, 0.99)]
    log(`${engine}, ${kind}: p99 alone and beside: ${pair(before, during)}`)
    rows.push(
      {
        what: `${engine}, a bystander with a ${kind} campaign, alone: p50 / p99`,
        value: pair(middle(alone, 0.5), before),
      },
      { what: `… beside ${ATTACKS_PER_SECOND} attacks a second: p50 / p99`, value: pair(middle(beside, 0.5), during) },
      {
        what: '… p99, of its own',
        ...judged(ratio(during / before), `≤ ${MOST_OF_BASELINE}`, during / before <= MOST_OF_BASELINE),
      },
    )
  }
  await edge.stop()
  return rows
}

const campaignOf = (kind: 'plain' | 'sandboxed') => ({
  key: 'by-stander',
  name: 'Bystander',
  trigger: { event: 'by.stander' },
  steps: [
    {
      id: 'tell',
      type: 'inbox',
      title: kind === 'plain' ? 'Order {{ event.properties.number }}' : 'Order {{ event.properties.number | plus: 1 }}',
    },
  ],
})

const middle = (rounds: number[][], share: number) => median(rounds.map((latencies) => percentile(latencies, share)))

let published: { event: string; properties: object }[] | undefined

/** Sends the worst attacks in turn, at a fixed rate, until it is stopped. */
async function keepAttacking(edge: Edge, customer: Customer) {
  if (published === undefined) {
    const worst = [...ATTACKS.entries()].filter(([, { name }]) => WORST.includes(name))
    published = []
    for (const [at, attack] of worst) {
      const event = await publish(customer, attack, at)
      if (event !== undefined) published.push({ event, properties: attack.properties })
    }
  }
  const attacks = published
  let number = 0
  let isStopping = false
  const running = (async () => {
    while (!isStopping) {
      const { event, properties } = attacks[number++ % attacks.length] ?? { event: 'none', properties: {} }
      const request = customer.trackEvent({ name: event, userId: `w_${number}`, properties })
      await pace(edge.address, ATTACKS_PER_SECOND, 1000, 4, () => request).catch(() => [])
    }
  })()
  return {
    stop() {
      isStopping = true
      return running
    },
  }
}
