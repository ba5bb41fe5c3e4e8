// Tracking over HTTP on loopback: single events and batches against a bare node:http server that alternates with the edge, then a
// steady 40 % of what was reached, with inbox reads beside it. Per engine; on SQLite also with the server on a core of its own.

import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Bench, type Benchmark, type Finding, millis, pair, type Row, ratio, whole } from '../benchmark.ts'
import { type Engine, ROOT } from '../edges.ts'
import { median } from '../numbers.ts'
import { command } from '../process.ts'
import type { Findings, Task } from './track-load.ts'
import { measureByWrk } from './wrk.ts'

const POST_P99_MS = 15
const GET_P99_MS = 5

interface Mode {
  name: string
  engine: Engine
  serverCore?: number
  loadCore?: number
  singleAim: number
}

const canPin = cpus().length > 1 && process.platform === 'linux'

export const track: Benchmark = {
  name: 'track',
  measures: 'single events and batches of 100, against bare node:http',
  async run(bench) {
    const modes: Mode[] = []
    for (const engine of bench.edges.engines()) {
      modes.push({ name: `${engine}, cores shared with the load`, engine, singleAim: 0.5 })
      if (!canPin || engine !== 'sqlite') continue
      modes.push({ name: 'sqlite, server on one core', engine, serverCore: 0, loadCore: 1, singleAim: 0.35 })
    }
    const rows: Row[] = []
    const notes: string[] = []
    for (const mode of modes) {
      bench.say(mode.name)
      const { found, byWrk } = await measure(bench, mode)
      rows.push(...describe(mode, found), ...byWrk)
      const rounds = found.barePerSecond.map((rate, at) => `${whole(rate)} → ${whole(found.singlePerSecond[at] ?? 0)}`)
      notes.push(`${mode.name}: rounds (bare → single, alternating) ${rounds.join(', ')}.`)
    }
    return { rows, notes } satisfies Finding
  },
}

async function measure(bench: Bench, { engine, serverCore, loadCore }: Mode) {
  const edge = await bench.edges.start({ engine, core: serverCore })
  const bare = await bench.edges.startOther([join(ROOT, 'bench/bare-server.mjs')], serverCore)
  const { isFull } = bench
  const found = await runLoad(
    {
      edgeUrl: edge.address,
      bareUrl: bare.address,
      dataDir: edge.dataDir,
      rounds: isFull ? 7 : 3,
      roundMs: isFull ? 5000 : 2000,
      steadyMs: isFull ? 20_000 : 8000,
    },
    loadCore,
  )
  const byWrk = await measureByWrk(edge, bare.address, isFull ? 5 : 2, loadCore)
  await Promise.all([edge.stop(), bare.stop()])
  return { found, byWrk }
}

function runLoad(task: Task, core: number | undefined): Promise<Findings> {
  const [file, args] = command(core, ['--import', 'tsx', join(ROOT, 'bench/runs/track-load.ts'), JSON.stringify(task)])
  const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.on('exit', (status) => {
      if (status === 0) resolve(JSON.parse(output) as Findings)
      else reject(new Error(`the load ended with exit ${status}`))
    })
  })
}

function describe({ name, engine, singleAim }: Mode, found: Findings): Row[] {
  const bare = median(found.barePerSecond)
  const batch = median(found.batchEventsPerSecond)
  const single = median(found.ratios)
  const onSqlite = engine === 'sqlite'
  return [
    { what: `**${name}**: bare node:http, requests/s`, value: whole(bare) },
    { what: 'Single events/s, 64 connections, one inbox campaign', value: whole(median(found.singlePerSecond)) },
    {
      what: '… of bare requests',
      value: ratio(single),
      ...(onSqlite ? { aim: `≥ ${singleAim}`, isMet: single >= singleAim } : {}),
    },
    { what: 'Events/s in batches of 100', value: whole(batch) },
    {
      what: '… events per bare request',
      value: ratio(batch / bare),
      ...(onSqlite ? { aim: '≥ 1.0', isMet: batch >= bare } : {}),
    },
    {
      what: `POST p50 / p99 at ${whole(found.atRate)}/s (40 %)`,
      value: pair(found.postP50, found.postP99),
      aim: `p99 ≤ ${millis(POST_P99_MS)}`,
      isMet: found.postP99 <= POST_P99_MS,
    },
    {
      what: 'Inbox GET p50 / p99 meanwhile, 50/s',
      value: pair(found.getP50, found.getP99),
      aim: `p99 ≤ ${millis(GET_P99_MS)}`,
      isMet: found.getP99 <= GET_P99_MS,
    },
  ]
}
