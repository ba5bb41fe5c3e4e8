// What an idle socket costs, how long a tick of the heads blocks the loop, and a storm of all sockets that come back as the widget
// does. 20,000 files a process are the limit here.

import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, judged, mebibytes, millis, type Row, whole } from '../benchmark.ts'
import { answerOf, ask } from '../children.ts'
import type { Counts, Told } from '../idle/clients.ts'
import { readVitals, type Vitals } from '../metrics.ts'

const PROCESSES = 2
/** Longer than the 25 s between two ticks of the heads. */
const IDLE_MS = 32_000
/** What the probe of the loop shows when nothing blocks it. */
const PROBE_MS = 10
const SOCKET_BYTES = 20 * 1024
const BLOCK_MS = 20

export const sockets: Benchmark = {
  name: 'sockets',
  measures: 'memory of idle sockets, ticks of the heads, a storm of reconnects',
  async run(bench) {
    const share = bench.pick({ rehearsal: 100, quick: 2500, full: 7500 })
    const settleMs = bench.pick({ rehearsal: 500, quick: 3000, full: 15_000 })
    const edge = await bench.edges.start({ env: { SESSION_LIFETIME: 'PT6H' } })
    bench.say(`${whole(share * PROCESSES)} users sign in`)
    const clients = Array.from({ length: PROCESSES }, (_, at) =>
      bench.edges.fork('bench/idle/clients.ts', [edge.address, edge.dataDir, String(at * share), String(share)]),
    )
    await Promise.all(clients.map((child) => answerOf(child)))
    const tell = async (what: Told) => sumOf(await Promise.all(clients.map((child) => ask<Counts>(child, what))))
    // The longest block is since the last time it was asked, so that sign-ins and opening are not in what idle costs.
    await delay(settleMs)
    const before = await readVitals(edge.address)
    bench.say('the sockets open')
    await tell('open')
    await delay(settleMs)
    await readVitals(edge.address)
    const { connected } = await tell('count')
    bench.say('they are idle')
    await delay(bench.pick({ rehearsal: 1000, quick: IDLE_MS, full: IDLE_MS }))
    const idle = await readVitals(edge.address)
    bench.say('all are lost, and come back')
    const storm = await tell('lose')
    const after = await readVitals(edge.address)
    return { rows: [...describeIdle(connected, before, idle), ...describeStorm(connected, storm, idle, after)] }
  },
}

function sumOf(answers: Counts[]): Counts {
  const sum: Counts = { connected: 0, lost: 0, frames: 0, backMs: 0, reasons: {} }
  for (const one of answers) {
    sum.connected += one.connected
    sum.lost += one.lost
    sum.frames += one.frames
    sum.backMs = Math.max(sum.backMs, one.backMs)
    Object.assign(sum.reasons, one.reasons)
  }
  return sum
}

function describeIdle(connected: number, before: Vitals, idle: Vitals): Row[] {
  const each = (bytes: number) => `${(bytes / connected / 1024).toFixed(1)} KiB`
  const bytes = idle.residentBytes - before.residentBytes
  const blockMs = idle.longestBlockMs - PROBE_MS
  return [
    { what: 'Sockets', value: whole(connected) },
    {
      what: 'Memory of the process before / with them',
      value: `${mebibytes(before.residentBytes)} / ${mebibytes(idle.residentBytes)}`,
    },
    { what: '… per socket', ...judged(each(bytes), '≤ 20 KiB', bytes / connected <= SOCKET_BYTES) },
    { what: '… of which on the heap', value: each(idle.heapBytes - before.heapBytes) },
    {
      what: 'Longest block of the loop while idle, heads told',
      ...judged(millis(blockMs), `≤ ${BLOCK_MS} ms`, blockMs <= BLOCK_MS),
    },
  ]
}

function describeStorm(connected: number, storm: Counts, idle: Vitals, after: Vitals): Row[] {
  const isWhole = storm.lost === 0 && storm.connected === connected
  return [
    { what: 'Storm: all back after', value: `${(storm.backMs / 1000).toFixed(1)} s` },
    {
      what: '… refused or lost; connected after it',
      ...judged(`${storm.lost} ${JSON.stringify(storm.reasons)}; ${whole(storm.connected)}`, '0; all', isWhole),
    },
    {
      what: '… processor time a socket',
      value: `${(((after.cpuSeconds - idle.cpuSeconds) / connected) * 1000).toFixed(2)} ms`,
    },
    { what: '… longest block of the loop', value: millis(after.longestBlockMs - PROBE_MS) },
  ]
}
