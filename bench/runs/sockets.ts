// Measures idle sockets, a tick of the head broadcast, a reconnect storm, a broadcast to all, and a storm after it in which
// each client has missed changes. The limit here is 20,000 files per process.

import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, judged, mebibytes, millis, type Row, whole } from '../benchmark.ts'
import { answerOf, ask } from '../children.ts'
import { createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import type { Command, Counts } from '../idle/clients.ts'
import { saturate } from '../load.ts'
import { readVitals, type Vitals } from '../metrics.ts'

const PROCESSES = 2
/** Longer than the 25 s between two head broadcasts. */
const IDLE_MS = 32_000
/** The value of the loop probe when nothing blocks it. */
const PROBE_MS = 10
const SOCKET_BYTES = 20 * 1024
const BLOCK_MS = 20
const CHANGES_A_CALL = 1000
const LOOK_EVERY_MS = 200
const PATIENCE_MS = 60_000

export const sockets: Benchmark = {
  name: 'sockets',
  measures: 'memory of idle sockets, ticks of the heads, storms of reconnects, a broadcast to all',
  async run(bench) {
    const share = bench.pick({ rehearsal: 100, quick: 2500, full: 7500 })
    const settleMs = bench.pick({ rehearsal: 500, quick: 3000, full: 15_000 })
    const edge = await bench.edges.start({ env: { SESSION_LIFETIME: 'PT6H' } })
    bench.log(`${whole(share * PROCESSES)} users sign in`)
    const clients = Array.from({ length: PROCESSES }, (_, at) =>
      bench.edges.fork('bench/idle/clients.ts', [edge.address, edge.dataDir, String(at * share), String(share)]),
    )
    await Promise.all(clients.map((child) => answerOf(child)))
    const command = async (what: Command) => sumOf(await Promise.all(clients.map((child) => ask<Counts>(child, what))))
    // The metric covers the time since the last read, so this read excludes sign-ins and openings from the idle cost.
    await delay(settleMs)
    const before = await readVitals(edge.address)
    bench.log('the sockets open')
    await command('open')
    await delay(settleMs)
    await readVitals(edge.address)
    const { connected } = await command('count')
    bench.log('they are idle')
    await delay(bench.pick({ rehearsal: 1000, quick: IDLE_MS, full: IDLE_MS }))
    const idle = await readVitals(edge.address)
    bench.log('all are lost, and come back')
    const storm = await command('lose')
    const after = await readVitals(edge.address)
    const rows = [...describeIdle(connected, before, idle), ...describeStorm('Storm', connected, storm, idle, after)]
    bench.log('one event for all of them')
    rows.push(...(await broadcast(edge, share * PROCESSES, () => command('count'))))
    bench.log('all are lost once more, and have missed it')
    const begun = await readVitals(edge.address)
    const second = await command('lose')
    rows.push(...describeStorm('Storm, each behind', connected, second, begun, await readVitals(edge.address)))
    return {
      rows,
      notes: ['The load shares the cores: what blocks the loop has the turns of the other processes in it.'],
    }
  },
}

function sumOf(answers: Counts[]): Counts {
  const sum: Counts = { connected: 0, lost: 0, added: 0, backMs: 0, reasons: {} }
  for (const one of answers) {
    sum.connected += one.connected
    sum.lost += one.lost
    sum.added += one.added
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
      what: 'Longest block of the loop while idle, with position broadcasts',
      ...judged(millis(blockMs), `≤ ${BLOCK_MS} ms`, blockMs <= BLOCK_MS),
    },
  ]
}

/** Tracks an event to a topic of all users and waits until every connected one has its frame. */
async function broadcast(edge: Edge, users: number, count: () => Promise<Counts>): Promise<Row[]> {
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publishCampaign()
  for (let from = 0; from < users; from += CHANGES_A_CALL) {
    const size = Math.min(CHANGES_A_CALL, users - from)
    await customer.subscribe(
      'all',
      Array.from({ length: size }, (_, at) => `idle_${from + at}`),
    )
  }
  const { connected, added } = await count()
  await readVitals(edge.address)
  const begunMs = performance.now()
  await saturate(edge.address, 1, { requests: 1 }, () => customer.trackTopic('all'))
  let missing = connected
  while (missing > 0 && performance.now() - begunMs < PATIENCE_MS) {
    await delay(LOOK_EVERY_MS)
    missing = connected + added - (await count()).added
  }
  const tookMs = performance.now() - begunMs
  const blockMs = (await readVitals(edge.address)).longestBlockMs - PROBE_MS
  return [
    {
      what: `Broadcast to ${whole(connected)} sockets: stored and at all of them after`,
      value:
        missing > 0
          ? `${missing} of them without it`
          : `${(tookMs / 1000).toFixed(1)} s, ${whole((users * 1000) / tookMs)}/s`,
    },
    { what: '… longest block of the loop', ...judged(millis(blockMs), `≤ ${BLOCK_MS} ms`, blockMs <= BLOCK_MS) },
  ]
}

function describeStorm(name: string, connected: number, storm: Counts, idle: Vitals, after: Vitals): Row[] {
  const isWhole = storm.lost === 0 && storm.connected === connected
  return [
    { what: `${name}: all back after`, value: `${(storm.backMs / 1000).toFixed(1)} s` },
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
