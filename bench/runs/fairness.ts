// Measures the latency of single events while another environment fans out to many users, against a baseline of the same run.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Benchmark, mebibytes, pair, type Row, ratio, whole } from '../benchmark.ts'
import { type Customer, createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { pace, saturate } from '../load.ts'
import { median, percentile } from '../numbers.ts'
import { createOtherCustomer } from '../other-environment.ts'
import type { Engine } from '../process.ts'

const CHANGES_A_CALL = 1000
/** Numbers of campaigns on the event that is fanned out; with more than one there are fewer users. */
const CAMPAIGNS = [1, 50, 200]
const EVENTS = 1000
const ROUNDS = 3
const MOST_OF_BASELINE = 3
const MOST_BYTES = 400 * 2 ** 20
/** Long, because each look is work for the edge. */
const LOOK_EVERY_MS = 100

export const fairness: Benchmark = {
  name: 'fairness',
  measures: `${whole(EVENTS)} single events of one environment while another fans out`,
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      for (const campaigns of CAMPAIGNS) {
        rows.push(...(await measure(bench, engine, sizeOf(bench, campaigns))))
        await bench.edges.clear()
      }
    }
    return {
      rows,
      notes: [
        `Fan-outs of one campaign, and of ${CAMPAIGNS.slice(1).join(' and ')} on one event to 1,000 users. Medians of ${ROUNDS} rounds, each a baseline and then the same under a fan-out; a fan-out that ends early is begun again.`,
      ],
    }
  },
}

interface Size {
  campaigns: number
  users: number
  events: number
  perSecond: number
  rounds: number
}

function sizeOf({ isFull, isRehearsal }: Bench, campaigns: number): Size {
  // A rehearsal runs on a busy machine: few enough that fan-outs do not wait for each other.
  if (isRehearsal) return { campaigns, users: campaigns === 1 ? 600 : 20, events: 40, perSecond: 20, rounds: 1 }
  const many = isFull ? 100_000 : 10_000
  return { campaigns, users: campaigns === 1 ? many : 1000, events: EVENTS, perSecond: 200, rounds: ROUNDS }
}

async function measure({ edges, log }: Bench, engine: Engine, size: Size): Promise<Row[]> {
  const { campaigns, users, events, perSecond, rounds } = size
  const edge = await edges.start({ engine })
  const noisy = createCustomer(edge.address, edge.dataDir)
  const single = await createOtherCustomer(edge, 'single')
  const campaign = await publishMany(noisy, campaigns)
  await single.publishCampaign()
  log(`${engine}: ${whole(users)} users subscribe, with ${campaigns} campaigns on their event`)
  for (let from = 0; from < users; from += CHANGES_A_CALL) {
    const ids = Array.from({ length: Math.min(CHANGES_A_CALL, users - from) }, (_, at) => `noisy_${from + at}`)
    await noisy.subscribe('all', ids)
  }
  let number = 0
  const next = () => {
    number += 1
    return single.track(`single_${number}`)
  }
  const track = () => pace(edge.address, perSecond, (events / perSecond) * 1000, 4, next)
  // Warms up code, connections and pages of the store.
  await track()
  const baseline: number[][] = []
  const during: number[][] = []
  let fanned = 0
  for (let round = 0; round < rounds; round += 1) {
    baseline.push(await track())
    const fanOut = keepFanningOut(edge, noisy, campaign, users)
    try {
      during.push(await track())
    } finally {
      fanned += await fanOut.stop()
    }
  }
  const peak = peakBytes(edge.pid)
  await edge.stop()
  const [before, beside] = [middle(baseline, 0.99), middle(during, 0.99)]
  log(`p99 alone and beside: ${pair(before, beside)}`)
  return [
    { what: `${engine}, ${campaigns} on the event, alone: p50 / p99`, value: pair(middle(baseline, 0.5), before) },
    {
      what: `… while ${whole(fanned)} users are sent to in chunks: p50 / p99`,
      value: pair(middle(during, 0.5), beside),
    },
    {
      what: '… p99, of its baseline',
      value: ratio(beside / before),
      aim: `< ${MOST_OF_BASELINE}`,
      isMet: beside / before < MOST_OF_BASELINE,
    },
    {
      what: '… most memory of the edge',
      value: peak === undefined ? '?' : mebibytes(peak),
      ...(peak !== undefined && { aim: `≤ ${mebibytes(MOST_BYTES)}`, isMet: peak <= MOST_BYTES }),
    },
  ]
}

/** Publishes the campaigns. @returns the id of the last one, whose message each user gets last */
async function publishMany(customer: Customer, campaigns: number): Promise<string> {
  for (let number = 1; number < campaigns; number += 1) await customer.publishCampaign(`-${number}`)
  return customer.publishCampaign()
}

/** Returns the peak memory of a process; undefined outside of Linux. */
function peakBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
}

const middle = (rounds: number[][], share: number) => median(rounds.map((latencies) => percentile(latencies, share)))

/** Fans out one event after the other. `stop` waits for the last one and returns the number of messages. */
function keepFanningOut(edge: Edge, noisy: Customer, campaign: string, users: number): { stop(): Promise<number> } {
  let isStopping = false
  const delivered = async () => {
    const path = `/v1/campaigns/${campaign}/stats?window=all&channel=inbox`
    return (await noisy.ask<{ steps: { count: number }[] }>(path)).steps[0]?.count ?? 0
  }
  const running = (async () => {
    const before = await delivered()
    let wanted = before
    while (!isStopping) {
      wanted += users
      await saturate(edge.address, 1, { requests: 1 }, () => noisy.trackTopic('all'))
      while ((await delivered()) < wanted) await delay(LOOK_EVERY_MS)
    }
    return wanted - before
  })()
  return {
    stop() {
      isStopping = true
      return running
    },
  }
}
