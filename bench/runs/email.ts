// Measures mails per second from tracked event to an SMTP server beside nodemailer's own pool, and what mails cost the inbox.

import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Benchmark, judged, pair, type Row, ratio, whole } from '../benchmark.ts'
import { answerOf, ask } from '../children.ts'
import { type Customer, createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { measureFrames } from '../frames.ts'
import { pace, saturate } from '../load.ts'
import { MAIL_CAMPAIGN, mailEvent } from '../mail/campaign.ts'
import { sharedNow } from '../mail/machine-clock.ts'
import { openSandboxes } from '../mail/open-sandboxes.ts'
import type { PoolCommand, PoolTask } from '../mail/pool.ts'
import { type SmtpServer, startSmtpServer } from '../mail/server.ts'
import { median, percentile } from '../numbers.ts'
import type { Engine } from '../process.ts'
import { processorMicros } from '../processor.ts'

const RATIO_AIM = 0.8
const BATCH = 100
const BATCHES_AT_ONCE = 2
/** Of the edge's sender, and of the pool beside it. */
const CONNECTIONS = 10
const USERS = 1000
const EVENTS_PER_SECOND = 200
const MAILS_PER_SECOND = 100
const FUNNEL_PATIENCE_MS = 10_000
const FRAME_AIM = { p50: 5, p99: 30 }

export const email: Benchmark = {
  name: 'email',
  measures: `mails/s through an SMTP server beside nodemailer's pool, and event → frame beside ${MAILS_PER_SECOND} mails/s`,
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      rows.push(...(await measure(bench, engine)))
      await bench.edges.clear()
    }
    return {
      rows,
      notes: [
        `An event becomes a mail with layout, signed links, pixel and text part, over ${CONNECTIONS} connections; the pool sends one such mail again and again over as many. From the first event to the last acceptance; medians of rounds that alternate, the ratio of each pair.`,
      ],
    }
  },
}

/** Sends so many mails and waits for their acceptance. @returns mails/s */
type Send = (mails: number) => Promise<number>

async function measure(bench: Bench, engine: Engine): Promise<Row[]> {
  const server = await startSmtpServer(bench)
  const edge = await bench.edges.start({ engine, env: server.settings })
  const customer = createCustomer(edge.address, edge.dataDir)
  await openSandboxes(edge)
  const campaign = await customer.publish(MAIL_CAMPAIGN)
  const byEdge = sendByEdge(edge, customer, server)
  await byEdge(bench.pick({ rehearsal: 100, quick: 1000, full: 1000 }))
  const pool = await startPool(bench, server)
  const rows = await compare(bench, engine, server, { edge: byEdge, edgePid: edge.pid, ...pool })
  pool.stop()
  rows.push(...(await measureInbox(bench, engine, edge, customer, server)))
  await checkFunnel(customer, campaign, (await server.count()).mails - pool.sent())
  return rows
}

function sendByEdge({ address }: Edge, customer: Customer, server: SmtpServer): Send {
  return async (mails) => {
    const before = await server.count()
    let sent = 0
    const begunAt = sharedNow()
    await saturate(address, BATCHES_AT_ONCE, { requests: mails / BATCH }, () => {
      const events = Array.from({ length: BATCH }, () => mailEvent('load', `mail_${sent++ % USERS}`))
      return customer.trackEvents(events)
    })
    const { at } = await server.waitFor(before.mails + mails)
    return (mails * 1000) / (at - begunAt)
  }
}

interface Pool {
  pool: Send
  poolPid: number
  /** Number of mails so far. */
  sent(): number
  stop(): void
}

/** Starts the pool with a mail that the edge has composed. */
async function startPool({ edges }: Bench, server: SmtpServer): Promise<Pool> {
  const task = { port: server.port, connections: CONNECTIONS, mail: await server.readLast() } satisfies PoolTask
  const child = edges.fork('bench/mail/pool.ts', [JSON.stringify(task)])
  await answerOf(child)
  let sent = 0
  return {
    sent: () => sent,
    poolPid: child.pid ?? 0,
    async pool(mails) {
      const before = await server.count()
      const begunAt = sharedNow()
      sent += mails
      await ask(child, { count: mails } satisfies PoolCommand)
      const { at } = await server.waitFor(before.mails + mails)
      return (mails * 1000) / (at - begunAt)
    },
    stop: () => child.kill(),
  }
}

interface Sides extends Pool {
  edge: Send
  edgePid: number
}

interface Measured {
  perSecond: number
  /** Processor time of a mail, in µs: of the sender and of the SMTP server. */
  micros: number
  serverMicros: number
  bytes: number
}

async function compare(bench: Bench, engine: Engine, server: SmtpServer, sides: Sides): Promise<Row[]> {
  const mails = bench.pick({ rehearsal: 200, quick: 3000, full: 10_000 })
  const rounds = bench.pick({ rehearsal: 1, quick: 3, full: 5 })
  const measureOne = async (send: Send, pid: number): Promise<Measured> => {
    const before = await server.count()
    const [own, others] = [processorMicros(pid), processorMicros(server.pid)]
    const perSecond = await send(mails)
    const used = {
      micros: (processorMicros(pid) - own) / mails,
      serverMicros: (processorMicros(server.pid) - others) / mails,
    }
    return { perSecond, ...used, bytes: ((await server.count()).bytes - before.bytes) / mails }
  }
  await sides.pool(bench.pick({ rehearsal: 100, quick: 1000, full: 1000 }))
  const byPool: Measured[] = []
  const byEdge: Measured[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const pool = await measureOne(sides.pool, sides.poolPid)
    const edge = await measureOne(sides.edge, sides.edgePid)
    byPool.push(pool)
    byEdge.push(edge)
    bench.log(`${engine}, round ${round}: pool ${whole(pool.perSecond)}/s, edge ${whole(edge.perSecond)}/s`)
  }
  const middle = (found: Measured[], key: keyof Measured) => median(found.map((one) => one[key]))
  const ratios = median(byEdge.map(({ perSecond }, at) => perSecond / (byPool[at]?.perSecond ?? Number.NaN)))
  const micros = (found: Measured[]) => `${whole(middle(found, 'micros'))} + ${whole(middle(found, 'serverMicros'))} µs`
  const bytes = (found: Measured[]) => whole(middle(found, 'bytes'))
  return [
    { what: `${engine}: mails/s of nodemailer's pool, one composed mail`, value: whole(middle(byPool, 'perSecond')) },
    { what: '… mails/s from tracked events', value: whole(middle(byEdge, 'perSecond')) },
    { what: '… of the pool', ...judged(ratio(ratios), `≥ ${RATIO_AIM}`, ratios >= RATIO_AIM) },
    {
      what: '… processor time of a mail, sender + SMTP server: pool; edge',
      value: `${micros(byPool)}; ${micros(byEdge)}`,
    },
    { what: '… bytes of a mail: pool; edge', value: `${bytes(byPool)}; ${bytes(byEdge)}` },
  ]
}

async function measureInbox(
  bench: Bench,
  engine: Engine,
  edge: Edge,
  customer: Customer,
  server: SmtpServer,
): Promise<Row[]> {
  const forMs = bench.pick({ rehearsal: 500, quick: 4000, full: 10_000 })
  const rounds = bench.pick({ rehearsal: 1, quick: 3, full: 5 })
  await customer.publishCampaign()
  const nodes = { tracked: { customer, url: edge.address }, watched: customer }
  const frames = () => measureFrames(nodes, EVENTS_PER_SECOND, forMs)
  const mails = async () => {
    const before = await server.count()
    let sent = 0
    await pace(edge.address, MAILS_PER_SECOND, forMs, 4, () => {
      sent += 1
      return customer.trackEvents([mailEvent('beside', `mail_${sent % USERS}`)])
    })
    await server.waitFor(before.mails + sent)
  }
  await Promise.all([frames(), mails()])
  await server.takeLatencies('beside', 1)
  const alone: number[][] = []
  const beside: number[][] = []
  const delivered: number[][] = []
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await frames())
    const [latencies] = await Promise.all([frames(), mails()])
    beside.push(latencies)
    delivered.push(await server.takeLatencies('beside', 1))
  }
  const middle = (found: number[][], share: number) => median(found.map((one) => percentile(one, share)))
  const [p50, p99] = [middle(beside, 0.5), middle(beside, 0.99)]
  const isMet = p50 <= FRAME_AIM.p50 && p99 <= FRAME_AIM.p99
  return [
    {
      what: `${engine}: event → frame, ${EVENTS_PER_SECOND}/s, without mails: p50 / p99`,
      value: pair(middle(alone, 0.5), middle(alone, 0.99)),
    },
    {
      what: `… beside ${MAILS_PER_SECOND} mails/s: p50 / p99`,
      ...judged(pair(p50, p99), `≤ ${FRAME_AIM.p50} / ${FRAME_AIM.p99} ms`, isMet),
    },
    {
      what: '… event → acceptance of these mails: p50 / p99',
      value: pair(middle(delivered, 0.5), middle(delivered, 0.99)),
    },
  ]
}

/** @throws when the funnel does not count all mails that the server accepted from the edge */
async function checkFunnel(customer: Customer, campaign: string, mails: number): Promise<void> {
  const path = `/v1/campaigns/${campaign}/stats?window=all&channel=email`
  const delivered = async () => (await customer.ask<{ steps: { count: number }[] }>(path)).steps[0]?.count ?? 0
  const until = performance.now() + FUNNEL_PATIENCE_MS
  // The acceptance is recorded right after the server's answer.
  while ((await delivered()) < mails && performance.now() < until) await delay(100)
  const count = await delivered()
  if (count !== mails) throw new Error(`${mails} mails were accepted, the funnel counts ${count}`)
}
