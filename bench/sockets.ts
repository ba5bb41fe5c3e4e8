// `node --import tsx bench/sockets.ts [sockets]`: what an idle socket costs, how long a tick of the heads blocks the loop, and
// a storm of all sockets that come back as the widget does. Default 15,000; 20,000 files a process are the limit here.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Counts, Told } from './idle/clients.ts'
import { startProgram } from './process.ts'

const root = resolve(import.meta.dirname, '..')
const wanted = Number(process.argv[2] ?? 15_000)
const PROCESSES = 2
/** After which memory has settled, and longer than the 25 s between two ticks of the heads. */
const SETTLE_MS = 32_000
/** What the probe of the loop shows when nothing blocks it. */
const PROBE_MS = 10

const dataDir = mkdtempSync(join(tmpdir(), 'nc-sockets-'))
const settings = {
  PORT: '0',
  DATA_DIR: dataDir,
  SEED_DEMO: 'true',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'info',
  SESSION_LIFETIME: 'PT6H',
}
const edge = await startProgram([join(root, 'edge/dist/main.js')], undefined, settings)
const clients: ChildProcess[] = []
process.once('exit', () => {
  for (const child of clients) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const share = Math.ceil(wanted / PROCESSES)
console.log(`${share * PROCESSES} users sign in …`)
for (let at = 0; at < PROCESSES; at++) {
  const args = [edge.address, dataDir, String(at * share), String(share)]
  const child = fork(join(root, 'bench/idle/clients.ts'), args, { execArgv: ['--import', 'tsx'] })
  clients.push(child)
}
await Promise.all(clients.map((child) => once(child, 'message')))
await delay(SETTLE_MS / 4)
const before = await probe()
console.log('the sockets open …')
await tell('open')
await delay(SETTLE_MS)
await probe()
const { connected } = await tell('count')
await delay(SETTLE_MS)
const idle = await probe()
console.log('all are lost, and come back …')
const storm = await tell('lose')
const after = await probe()
const perSocket = (bytes: number) => `${(bytes / connected / 1024).toFixed(1)} KiB`
const rows = [
  ['Sockets', connected.toLocaleString('en'), ''],
  ['Memory of the process before / with them', `${mib(before.residentBytes)} / ${mib(idle.residentBytes)}`, ''],
  ['… per socket', perSocket(idle.residentBytes - before.residentBytes), '≤ 20 KiB'],
  ['… of which on the heap', perSocket(idle.heapBytes - before.heapBytes), ''],
  ['Longest block of the loop in 32 s idle, heads told', `${(idle.longestMs - PROBE_MS).toFixed(1)} ms`, '≤ 20 ms'],
  ['Storm: all back after', `${(storm.backMs / 1000).toFixed(1)} s`, ''],
  ['… refused or lost', `${storm.lost} ${JSON.stringify(storm.reasons)}`, '0'],
  ['… connected after it', storm.connected.toLocaleString('en'), ''],
  ['… processor time a socket', `${(((after.cpuSeconds - idle.cpuSeconds) / connected) * 1000).toFixed(2)} ms`, ''],
  ['… longest block of the loop', `${(after.longestMs - PROBE_MS).toFixed(1)} ms`, ''],
]
console.log(`\n| Measured | | Aim |\n|---|---|---|\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`)
for (const child of clients) child.kill()
await edge.stop()
process.exit(0)

/** Both processes do it; answers their sum when both have. */
async function tell(what: Told): Promise<Counts> {
  const answers = await Promise.all(
    clients.map(async (child) => {
      child.send(what)
      const [counts] = await once(child, 'message')
      return counts as Counts
    }),
  )
  const sum = { connected: 0, lost: 0, frames: 0, backMs: 0, reasons: {} as Record<string, number> }
  for (const one of answers) {
    sum.connected += one.connected
    sum.lost += one.lost
    sum.frames += one.frames
    sum.backMs = Math.max(sum.backMs, one.backMs)
    Object.assign(sum.reasons, one.reasons)
  }
  return sum
}

/** What the server says of itself; the longest block is since the last time it was asked. */
async function probe() {
  const text = await (await fetch(`${edge.address}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  return {
    residentBytes: value('nc_process_resident_memory_bytes'),
    heapBytes: value('nc_nodejs_heap_size_used_bytes') + value('nc_nodejs_external_memory_bytes'),
    longestMs: value('nc_nodejs_eventloop_lag_max_seconds') * 1000,
    cpuSeconds: value('nc_process_cpu_seconds_total'),
  }
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
