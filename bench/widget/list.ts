// Measures the list with 50 and 10,000 rows: opening, a push, and fast scrolling, at full processor speed.

import { setTimeout as delay } from 'node:timers/promises'
import { millis, type Row } from '../benchmark.ts'
import { median, percentile } from '../numbers.ts'
import { workPerFrame } from './frames.ts'
import type { Stage, Visit } from './stage.ts'

const MANY = 10_000
const FEW = 50
const FEW_MS = 50
const MANY_MS = 100
const PUSH_MS = 20
const FRAME_MS = 8
const FLUNG_FRAMES = 240
const MAX_NODES = 250
/** Before it, nobody has found the bell and pressed it. */
const REST_MS = 500

export interface Rounds {
  opens: number
  pushes: number
}

export async function measureList(stage: Stage, rounds: Rounds): Promise<Row[]> {
  const fromCache = await openFromCache(stage, rounds.opens)
  const userId = 'many'
  await stage.fill(userId, MANY)
  const visit = await stage.visit({ userId })
  await visit.ask('bench.ready()')
  await visit.ask('bench.open()')
  await visit.ask(`bench.loadAll(${MANY})`)
  const nodes = await visit.ask<number>('bench.nodes()')
  const many = await opens(visit, rounds.opens)
  await visit.ask('bench.open()')
  const pushes = await pushesInto(stage, visit, userId, rounds.pushes)
  const frames = await workPerFrame(visit, `bench.fling(${FLUNG_FRAMES})`)
  const most = Math.max(nodes, await visit.ask<number>('bench.nodes()'))
  await visit.page.close()

  const [few, rested] = [median(fromCache.atOnce), median(fromCache.rested)]
  const [all, push, frame] = [median(many), median(pushes), percentile(frames, 0.95)]
  return [
    {
      what: `Panel open with ${FEW} rows from the cache, painted`,
      value: millis(rested),
      aim: `≤ ${FEW_MS} ms`,
      isMet: rested <= FEW_MS,
    },
    {
      what: '… in the frame in which the element is ready',
      value: millis(few),
      aim: `≤ ${FEW_MS} ms`,
      isMet: few <= FEW_MS,
    },
    { what: `… with ${MANY.toLocaleString('en')}`, value: millis(all), aim: `≤ ${MANY_MS} ms`, isMet: all <= MANY_MS },
    { what: 'Push received → row painted, p50', value: millis(push), aim: `≤ ${PUSH_MS} ms`, isMet: push <= PUSH_MS },
    { what: '… p95', value: millis(percentile(pushes, 0.95)) },
    {
      what: `Work per frame, flung through ${MANY.toLocaleString('en')} rows, p95`,
      value: millis(frame),
      aim: `≤ ${FRAME_MS} ms`,
      isMet: frame <= FRAME_MS,
    },
    { what: '… p50', value: `${millis(median(frames))} (${frames.length} frames)` },
    { what: 'Nodes in the widget, the most', value: String(most), aim: `≤ ${MAX_NODES}`, isMet: most <= MAX_NODES },
  ]
}

/** Measures the first opening of a page whose rows are in the browser's storage, in turn at once and after a rest. */
async function openFromCache(stage: Stage, rounds: number): Promise<Record<'atOnce' | 'rested', number[]>> {
  const userId = 'few'
  await stage.fill(userId, FEW)
  const context = await stage.newContext()
  const found = { atOnce: [] as number[], rested: [] as number[] }
  // The first visit fills the cache.
  for (let round = 0; round <= 2 * rounds; round++) {
    const isRested = round % 2 === 0
    const visit = await stage.visit({ userId, context })
    await visit.ask('bench.ready()')
    if (isRested) await delay(REST_MS)
    const openMs = await visit.ask<number>('bench.open()')
    if (round > 0) found[isRested ? 'rested' : 'atOnce'].push(openMs)
    await visit.page.close()
  }
  await context.close()
  return found
}

async function opens(visit: Visit, rounds: number): Promise<number[]> {
  const found: number[] = []
  for (let round = 0; round < rounds; round++) {
    await visit.ask('bench.close()')
    found.push(await visit.ask<number>('bench.open()'))
  }
  await visit.ask('bench.close()')
  return found
}

async function pushesInto(stage: Stage, visit: Visit, userId: string, rounds: number): Promise<number[]> {
  const found: number[] = []
  for (let round = 0; round < rounds; round++) {
    await visit.ask('bench.awaitPush()')
    await stage.fill(userId, 1)
    found.push(await visit.ask<number>('bench.pushPainted()'))
  }
  return found
}
