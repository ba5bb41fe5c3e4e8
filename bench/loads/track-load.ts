// The load process of `track`: measures one running edge against the bare server and prints what it found as JSON.

import { prepare } from '../connection.ts'
import { type Customer, createCustomer, type Session } from '../customer.ts'
import { pace, type Request, saturate } from '../load.ts'
import { median, percentile } from '../numbers.ts'

export interface Task {
  edgeUrl: string
  bareUrl: string
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
  atRate: number
  postP50: number
  postP99: number
  getP50: number
  getP99: number
}

const CONNECTIONS = 64
const BATCH = 100
const BATCH_CONNECTIONS = 8
const STEADY_SHARE = 0.4
const GETS_PER_SECOND = 50
const USERS = 1000

/** Users in turn, for ever. */
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

async function measureThroughput(task: Task, customer: Customer) {
  const { edgeUrl, bareUrl, roundMs } = task
  const nextUser = createUsers()
  const single = () => customer.track(nextUser())
  // Made on the spot like the edge's, so that the client's own work is the same in both.
  const bare = () => bareRequest(bareUrl, customer.track(nextUser()))
  const batch = () => customer.trackBatch(Array.from({ length: BATCH }, () => nextUser()))
  await saturate(bareUrl, CONNECTIONS, task.warmMs, bare)
  await saturate(edgeUrl, CONNECTIONS, 1.5 * task.warmMs, single)
  const found = { barePerSecond: [] as number[], singlePerSecond: [] as number[], batchEventsPerSecond: [] as number[] }
  for (let round = 0; round < task.rounds; round += 1) {
    found.barePerSecond.push(await saturate(bareUrl, CONNECTIONS, roundMs, bare))
    found.singlePerSecond.push(await saturate(edgeUrl, CONNECTIONS, roundMs, single))
    found.batchEventsPerSecond.push(BATCH * (await saturate(edgeUrl, BATCH_CONNECTIONS, roundMs, batch)))
  }
  return found
}

async function measureSteady(task: Task, customer: Customer, atRate: number) {
  const nextUser = createUsers()
  const users = Array.from({ length: 20 }, nextUser)
  const sessions = await Promise.all(users.map((user) => customer.signIn(user)))
  let gets = 0
  const [postMs, getMs] = await Promise.all([
    pace(task.edgeUrl, atRate, task.steadyMs, CONNECTIONS, () => customer.track(nextUser())),
    pace(task.edgeUrl, GETS_PER_SECOND, task.steadyMs, 4, () => {
      gets += 1
      return customer.readInbox(sessions[gets % sessions.length] as Session)
    }),
  ])
  return {
    atRate,
    postP50: percentile(postMs, 0.5),
    postP99: percentile(postMs, 0.99),
    getP50: percentile(getMs, 0.5),
    getP99: percentile(getMs, 0.99),
  }
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
