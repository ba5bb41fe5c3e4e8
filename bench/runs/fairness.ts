// One environment fans out to many users while another tracks single events: what those wait for, against their own baseline in the same run.

import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Benchmark, pair, type Row, ratio, whole } from '../benchmark.ts'
import { type Customer, createCustomer } from '../customer.ts'
import type { Edge, Engine } from '../edges.ts'
import { pace, saturate } from '../load.ts'
import { callNc } from '../nc.ts'
import { median, percentile } from '../numbers.ts'

const CHANGES_A_CALL = 1000
const EVENTS = 1000
const ROUNDS = 3
const MOST_OF_BASELINE = 3
/** Seldom: looking is work for the edge, too. */
const LOOK_EVERY_MS = 100

export const fairness: Benchmark = {
  name: 'fairness',
  measures: `${whole(EVENTS)} single events of one environment while another fans out`,
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      rows.push(...(await measure(bench, engine, sizeOf(bench))))
      await bench.edges.clear()
    }
    return {
      rows,
      notes: [
        `Medians of ${ROUNDS} rounds, each a baseline and then the same under a fan-out; a fan-out that ends early is begun again.`,
      ],
    }
  },
}

interface Size {
  users: number
  events: number
  perSecond: number
}

function sizeOf({ isFull, isRehearsal }: Bench): Size {
  // On a machine that is busy otherwise: few enough that they do not wait for each other.
  if (isRehearsal) return { users: 3000, events: 200, perSecond: 20 }
  return { users: isFull ? 100_000 : 10_000, events: EVENTS, perSecond: 200 }
}

async function measure({ edges, say }: Bench, engine: Engine, { users, events, perSecond }: Size): Promise<Row[]> {
  const edge = await edges.start({ engine })
  const crowd = createCustomer(edge.address, edge.dataDir)
  const single = await otherCustomer(edge)
  const campaign = await crowd.publishCampaign()
  await single.publishCampaign()
  say(`${engine}: ${whole(users)} users subscribe`)
  for (let from = 0; from < users; from += CHANGES_A_CALL) {
    const ids = Array.from({ length: Math.min(CHANGES_A_CALL, users - from) }, (_, at) => `crowd_${from + at}`)
    await crowd.subscribe('all', ids)
  }
  let number = 0
  const next = () => {
    number += 1
    return single.track(`single_${number}`)
  }
  const track = () => pace(edge.address, perSecond, (events / perSecond) * 1000, 4, next)
  // Warm: code, connections, pages of the store.
  await track()
  const baseline: number[][] = []
  const during: number[][] = []
  let fanned = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    baseline.push(await track())
    const fanOut = keepFanningOut(edge, crowd, campaign, users)
    try {
      during.push(await track())
    } finally {
      fanned += await fanOut.stop()
    }
  }
  await edge.stop()
  const [before, beside] = [middle(baseline, 0.99), middle(during, 0.99)]
  return [
    { what: `${engine}, alone: p50 / p99`, value: pair(middle(baseline, 0.5), before) },
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
  ]
}

const middle = (rounds: number[][], share: number) => median(rounds.map((latencies) => percentile(latencies, share)))

/** Another environment of the demo's organisation, whose events these are. */
async function otherCustomer(edge: Edge): Promise<Customer> {
  const [organisation] = await callNc<{ id: string }[]>(edge.settings, 'org', 'list')
  if (organisation === undefined) throw new Error('The demo has no organisation.')
  const words = ['env', 'create', '--org', organisation.id, '--name', 'single']
  const { secrets } = await callNc<{ secrets: { sdkSecretKey: string } }>(edge.settings, ...words)
  return createCustomer(edge.address, edge.dataDir, secrets.sdkSecretKey)
}

/** One fan-out after the other; `stop` waits for the last one and answers how many messages there were. */
function keepFanningOut(edge: Edge, crowd: Customer, campaign: string, users: number): { stop(): Promise<number> } {
  let isStopping = false
  const delivered = async () => {
    const path = `/v1/campaigns/${campaign}/stats?window=all&channel=inbox`
    return (await crowd.ask<{ steps: { count: number }[] }>(path)).steps[0]?.count ?? 0
  }
  const running = (async () => {
    const before = await delivered()
    let wanted = before
    while (!isStopping) {
      wanted += users
      await saturate(edge.address, 1, { requests: 1 }, () => crowd.trackTopic('all'))
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
