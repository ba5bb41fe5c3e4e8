// Measures single events of one environment, up to frame and accepted mail, while another one sends a mail to many users.

import { type Bench, type Benchmark, judged, pair, type Row, ratio, whole } from '../benchmark.ts'
import { type Customer, createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { measureFrames } from '../frames.ts'
import { saturate } from '../load.ts'
import { fill } from '../loads/fill.ts'
import { BOTH_CAMPAIGN, MAIL_CAMPAIGN, mailEvent, mailProperties, mailUser } from '../mail/campaign.ts'
import { sharedNow } from '../mail/machine-clock.ts'
import { openSandboxes } from '../mail/open-sandboxes.ts'
import { type SmtpServer, startSmtpServer } from '../mail/server.ts'
import { median, percentile } from '../numbers.ts'
import { createOtherCustomer } from '../other-environment.ts'
import type { Engine } from '../process.ts'

const CHANGES_A_CALL = 1000
const PER_SECOND = 20
const MOST_OF_BASELINE = 3

export const mailFanOut: Benchmark = {
  name: 'mail-fan-out',
  measures: `single events of one environment, to frame and mail, while another sends a mail to many users`,
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      rows.push(...(await measure(bench, engine)))
      await bench.edges.clear()
    }
    return {
      rows,
      notes: [
        `Both environments send over the same connections to one SMTP server; single events come at ${PER_SECOND}/s. Medians of rounds, each alone and then beside a fan-out, from its event on.`,
      ],
    }
  },
}

/** Of single events, in ms. */
interface Latencies {
  frames: number[]
  mails: number[]
}

async function measure(bench: Bench, engine: Engine): Promise<Row[]> {
  const users = bench.pick({ rehearsal: 200, quick: 10_000, full: 100_000 })
  const rounds = bench.pick({ rehearsal: 1, quick: 3, full: 2 })
  const server = await startSmtpServer(bench)
  const edge = await bench.edges.start({ engine, env: server.settings })
  const single = createCustomer(edge.address, edge.dataDir)
  const noisy = await createOtherCustomer(edge, 'noisy')
  await openSandboxes(edge)
  await single.publish(BOTH_CAMPAIGN)
  await noisy.publish(MAIL_CAMPAIGN)
  await subscribeAll(bench, edge, noisy, users)
  const track = () => trackSingles(bench, edge, single, server)
  // Warms up code and connections.
  await track()
  const alone: Latencies[] = []
  const beside: Latencies[] = []
  const perSecond: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    alone.push(await track())
    const fanOut = await startFanOut(edge, noisy, server, users)
    beside.push(await track())
    perSecond.push(await fanOut.done(beside.at(-1)?.mails.length ?? 0))
    bench.log(`${engine}, round ${round}: ${whole(perSecond.at(-1) ?? 0)} mails/s`)
  }
  await edge.stop()
  return describe(engine, users, perSecond, alone, beside)
}

/** Gives all users their address and subscribes them to a topic. */
async function subscribeAll({ log }: Bench, edge: Edge, noisy: Customer, users: number): Promise<void> {
  const idOf = (at: number) => `noisy_${at}`
  await fill({
    url: edge.address,
    count: users,
    what: 'users with an address',
    log,
    batch: (from, size) =>
      noisy.trackEvents(
        Array.from({ length: size }, (_, at) => {
          const userId = idOf(from + at)
          return { name: 'bench.joined', userId, user: mailUser(userId), idempotencyKey: userId }
        }),
      ),
  })
  for (let from = 0; from < users; from += CHANGES_A_CALL) {
    const count = Math.min(CHANGES_A_CALL, users - from)
    await noisy.subscribe(
      'all',
      Array.from({ length: count }, (_, at) => idOf(from + at)),
    )
  }
}

/** Tracks single events, each of which becomes an inbox message and a mail. */
async function trackSingles({ pick }: Bench, edge: Edge, single: Customer, server: SmtpServer): Promise<Latencies> {
  const forMs = pick({ rehearsal: 500, quick: 8000, full: 30_000 })
  const track = (userId: string) => single.trackEvents([mailEvent('single', userId)])
  const frames = await measureFrames(
    { tracked: { customer: { ...single, track }, url: edge.address }, watched: single },
    PER_SECOND,
    forMs,
  )
  return { frames, mails: await server.takeLatencies('single', frames.length) }
}

/** Tracks the event. `done` waits for all its mails, beside so many others, and returns the mails per second. */
async function startFanOut(edge: Edge, noisy: Customer, server: SmtpServer, users: number) {
  const before = await server.count()
  const begunAt = sharedNow()
  const event = { name: 'bench.mailed', topic: 'all', properties: mailProperties('load') }
  await saturate(edge.address, 1, { requests: 1 }, () => noisy.trackEvents([event]))
  return {
    async done(others: number): Promise<number> {
      const { at } = await server.waitFor(before.mails + users + others)
      return (users * 1000) / (at - begunAt)
    },
  }
}

function describe(engine: Engine, users: number, perSecond: number[], alone: Latencies[], beside: Latencies[]): Row[] {
  const middle = (rounds: Latencies[], key: keyof Latencies, share: number) =>
    median(rounds.map((round) => percentile(round[key], share)))
  const rowsOf = (key: keyof Latencies, what: string): Row[] => {
    const [before, during] = [middle(alone, key, 0.99), middle(beside, key, 0.99)]
    const isMet = during / before < MOST_OF_BASELINE
    return [
      { what: `${engine}: ${what}, alone: p50 / p99`, value: pair(middle(alone, key, 0.5), before) },
      { what: '… beside the fan-out: p50 / p99', value: pair(middle(beside, key, 0.5), during) },
      { what: '… p99, of its baseline', ...judged(ratio(during / before), `< ${MOST_OF_BASELINE}`, isMet) },
    ]
  }
  return [
    { what: `${engine}: mails/s of a fan-out to ${whole(users)} users`, value: whole(median(perSecond)) },
    ...rowsOf('frames', 'event → frame'),
    ...rowsOf('mails', 'event → accepted mail'),
  ]
}
