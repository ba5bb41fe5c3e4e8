// Measures what remains after a panel was opened and an element inserted many times: listeners, sockets, timers, memory.

import { type Row, whole } from '../benchmark.ts'
import { median } from '../numbers.ts'
import { objectBytes } from './heap.ts'
import type { Stage, Visit } from './stage.ts'

export interface Times {
  opens: number
  mounts: number
}

/** What the page still holds after a collection, counted in the page and by Chromium. */
interface Held {
  listeners: number
  sockets: number
  timers: number
  /** Listeners of the whole page, including those of elements. */
  allListeners: number
  nodes: number
  heapBytes: number
}

/** Limit per repetition: an object with a closure or two is larger. */
const FLAT_BYTES = 256
const SAMPLES = 20

interface Grown {
  /** Bytes per repetition: the page's objects, and the whole heap including compiled code. */
  objects: number
  heap: number
}

export async function measureLeaks(stage: Stage, times: Times): Promise<Row[]> {
  const userId = 'leaks'
  await stage.fill(userId, 20)
  const visit = await stage.visit({})
  await visit.ask('bench.defined()')
  const attributes = JSON.stringify(stage.attributesOf(userId))
  const cycle = async () => {
    await visit.ask(`bench.mount(${attributes})`)
    await visit.ask('bench.unmount()')
  }
  // The first element loads socket.io-client, which adds two listeners to the window, once for the page.
  await cycle()
  const untouched = await held(visit)
  const mounts = await repeat(visit, times.mounts, cycle)
  const left = await held(visit)
  await visit.ask(`bench.mount(${attributes})`)
  const opens = await repeat(visit, times.opens, async () => {
    await visit.ask('bench.open()')
    await visit.ask('bench.close()')
  })
  await visit.ask('bench.unmount()')
  const end = await held(visit)
  await visit.page.close()
  return [
    leftBehind(`Left after ${times.mounts} × mount and unmount`, untouched, left),
    ...growth(mounts),
    leftBehind(`Left after ${times.opens} × open and close, and unmount`, untouched, end),
    ...growth(opens),
  ]
}

function leftBehind(what: string, before: Held, after: Held): Row {
  const more = (name: keyof Held) => after[name] - before[name]
  const [listeners, sockets, timers] = [more('listeners'), more('sockets'), more('timers')]
  return {
    what,
    value: `${listeners} listeners, ${sockets} sockets, ${timers} timers (${more('nodes')} nodes)`,
    aim: '0, 0, 0',
    isMet: listeners === 0 && sockets === 0 && timers === 0,
  }
}

function growth({ objects, heap }: Grown): Row[] {
  return [
    {
      what: '… objects by each, collected',
      value: `${whole(objects)} bytes`,
      aim: `flat (≤ ${whole(FLAT_BYTES)})`,
      isMet: objects <= FLAT_BYTES,
    },
    { what: '… with what the engine compiles meanwhile', value: `${whole(heap)} bytes` },
  ]
}

/**
 * Returns the median slope between all pairs of the later half. Filling caches and compiled code are steps, not slopes.
 */
function slopeOf(all: { at: number; heapBytes: number }[]): number {
  const samples = all.slice(all.length >> 1)
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => (other.heapBytes - one.heapBytes) / (other.at - one.at)),
  )
  return median(slopes)
}

/** Counts objects at two late points: after a third, when caches are filled, and at the end. */
async function repeat(visit: Visit, times: number, act: () => Promise<void>): Promise<Grown> {
  const samples: { at: number; heapBytes: number }[] = []
  const each = Math.max(1, Math.floor(times / SAMPLES))
  const from = Math.max(1, Math.floor(times / 3))
  let before = 0
  for (let at = 1; at <= times; at++) {
    await act()
    if (at % each === 0) samples.push({ at, heapBytes: (await held(visit)).heapBytes })
    if (at === from) before = await objectBytes(visit.cdp)
  }
  const objects = ((await objectBytes(visit.cdp)) - before) / Math.max(1, times - from)
  return { objects, heap: slopeOf(samples) }
}

async function held({ cdp, ask }: Visit): Promise<Held> {
  await ask('bench.painted()')
  // The browser's list of requests grows with each sign-in.
  await ask('performance.clearResourceTimings()')
  await cdp.send('Performance.enable')
  // The second collection frees what objects of the first one held.
  await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN
  const counts = await ask<{ listeners: number; sockets: number; timers: number }>('bench.counts()')
  return {
    ...counts,
    allListeners: metric('JSEventListeners'),
    nodes: metric('Nodes'),
    heapBytes: metric('JSHeapUsedSize'),
  }
}
