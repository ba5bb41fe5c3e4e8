// Measures one running edge against the bare server for `track` and prints the result as JSON.

import { prepare } from '../connection.ts'
import { type Customer, createCustomer, type Session } from '../customer.ts'
import { pace, type Request, saturate } from '../load.ts'
import { median, percentile } from '../numbers.ts'
import { processorMicros } from '../processor.ts'

export interface Task {
  edgeUrl: string
  edgePid: number
  bareUrl: string
  barePid: number
  /** The upper limit of the chosen technologies (`peers/limit-server.mjs`), on the same engine. */
  limit: { url: string; pid: number }
  dataDir: string
  warmMs: number
  rounds: number
  roundMs: number
  steadyMs: number
}

/** Rates are per second, latencies in ms. */
export interface Findings {
  barePerSecond: number[]
  singlePerSecond: number[]
  batchEventsPerSecond: number[]
  ratios: number[]
  limit: { singlePerSecond: number[]; batchEventsPerSecond: number[] }
  /** Processor time per event by round: bare request, single event, batch, and both for the limit. */
  micros: { bare: number[]; single: number[]; batch: number[]; limitSingle: number[]; limitBatch: number[] }
  atRate: number
  postP50: number
  postP99: number
  getP50: number
  getP99: number
  /** p50 and p99 of the bare server and of the limit under the same load. */
  bareSteady: [number, number]
  limitSteady: [number, number]
}

const CONNECTIONS = 64
const BATCH = 100
const BATCH_CONNECTIONS = 8
const STEADY_SHARE = 0.4
const GETS_PER_SECOND = 50
/** Share of the rate at which the steady load begins, because the disk still writes after the rounds at full load. */
const WARM_SHARE = 0.2
const PEER_SHARE = 0.3
const USERS = 1000

/** Returns user ids in an endless rotation. */
function createUsers(): () => string {
  let number = 0
  return () => {
    number += 1
    return `bench_${number % USERS}`
  }
}

function bareRequest(bareUrl: string, like: Request): Request {
  const body = like.bytes.toString().split('\r\n\r\n')[1] ?? ''
  return { bytes: prepare('POST', bareUrl, { authorization: 'Bearer x' }, body), status: 202 }
}

/** Runs one round against a server. @returns events per second, and processor time per event */
async function load(
  { url, pid }: { url: string; pid: number },
  ofBatches: boolean,
  forMs: number,
  next: () => Request,
) {
  const [connections, events] = ofBatches ? [BATCH_CONNECTIONS, BATCH] : [CONNECTIONS, 1]
  let asked = 0
  const before = processorMicros(pid)
  const perSecond = await saturate(url, connections, forMs, () => {
    asked += 1
    return next()
  })
  return { perSecond: events * perSecond, micros: (processorMicros(pid) - before) / (events * asked) }
}

async function measureThroughput(task: Task, customer: Customer) {
  const { bareUrl, roundMs, limit } = task
  const nextUser = createUsers()
  const single = () => customer.track(nextUser())
  const batch = () => customer.trackBatch(Array.from({ length: BATCH }, () => nextUser()))
  // Builds each request when it is sent, as for the edge, so that the client's work is equal.
  const like = (url: string, request: () => Request) => () => bareRequest(url, request())
  const [edge, bare] = [
    { url: task.edgeUrl, pid: task.edgePid },
    { url: bareUrl, pid: task.barePid },
  ]
  await load(bare, false, task.warmMs, like(bareUrl, single))
  await load(edge, false, 1.5 * task.warmMs, single)
  const found = {
    barePerSecond: [] as number[],
    singlePerSecond: [] as number[],
    batchEventsPerSecond: [] as number[],
    limit: { singlePerSecond: [] as number[], batchEventsPerSecond: [] as number[] },
    micros: { bare: [], single: [], batch: [], limitSingle: [], limitBatch: [] } as Findings['micros'],
  }
  const round = async (
    server: typeof edge,
    next: () => Request,
    ofBatches: boolean,
    into: { rates: number[]; micros: number[] },
    forMs = roundMs,
  ) => {
    const { perSecond, micros } = await load(server, ofBatches, forMs, next)
    into.rates.push(perSecond)
    into.micros.push(micros)
  }
  const { micros } = found
  // The limit server has nothing to warm up except itself.
  const limitMs = roundMs / 3
  for (let at = 0; at < task.rounds; at += 1) {
    await round(bare, like(bareUrl, single), false, { rates: found.barePerSecond, micros: micros.bare })
    await round(edge, single, false, { rates: found.singlePerSecond, micros: micros.single })
    await round(edge, batch, true, { rates: found.batchEventsPerSecond, micros: micros.batch })
    const { singlePerSecond, batchEventsPerSecond } = found.limit
    await round(limit, like(limit.url, single), false, { rates: singlePerSecond, micros: micros.limitSingle }, limitMs)
    await round(
      limit,
      like(limit.url, batch),
      true,
      { rates: batchEventsPerSecond, micros: micros.limitBatch },
      limitMs,
    )
  }
  return found
}

const ends = (latencies: number[]): [number, number] => [percentile(latencies, 0.5), percentile(latencies, 0.99)]

/**
 * Measures the bare server and the limit first, at the same rate and connections: their share of the edge's figures.
 */
async function measureSteady(task: Task, customer: Customer, atRate: number) {
  const nextUser = createUsers()
  const users = Array.from({ length: 20 }, nextUser)
  const sessions = await Promise.all(users.map((user) => customer.signIn(user)))
  const warmMs = task.steadyMs * WARM_SHARE
  const event = () => customer.track(nextUser())
  const atPeer = async (url: string) =>
    ends(await pace(url, atRate, task.steadyMs * PEER_SHARE, CONNECTIONS, () => bareRequest(url, event()), warmMs))
  const bareSteady = await atPeer(task.bareUrl)
  const limitSteady = await atPeer(task.limit.url)
  let gets = 0
  const readPage = () => {
    gets += 1
    return customer.readInbox(sessions[gets % sessions.length] as Session)
  }
  const [postMs, getMs] = await Promise.all([
    pace(task.edgeUrl, atRate, task.steadyMs, CONNECTIONS, event, warmMs),
    pace(task.edgeUrl, GETS_PER_SECOND, task.steadyMs, 4, readPage, warmMs),
  ])
  const [postP50, postP99] = ends(postMs)
  const [getP50, getP99] = ends(getMs)
  return { atRate, bareSteady, limitSteady, postP50, postP99, getP50, getP99 }
}

async function measure(task: Task): Promise<Findings> {
  const customer = createCustomer(task.edgeUrl, task.dataDir)
  await customer.publishCampaign()
  const throughput = await measureThroughput(task, customer)
  const ratios = throughput.singlePerSecond.map((rate, at) => rate / (throughput.barePerSecond[at] as number))
  const atRate = Math.round(median(throughput.singlePerSecond) * STEADY_SHARE)
  const steady = await measureSteady(task, customer, atRate)
  return { ...throughput, ratios, ...steady }
}

if (process.argv[2] !== undefined) {
  const findings = await measure(JSON.parse(process.argv[2]) as Task)
  process.stdout.write(`${JSON.stringify(findings)}\n`, () => process.exit(0))
}
