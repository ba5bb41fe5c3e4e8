// Measures tracking over HTTP on loopback: events and batches against a bare server and a limit server in turns, then a steady
// 40 % of the maximum with inbox reads. Per engine; on SQLite also with the server on its own core.

import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Bench, type Benchmark, type Finding, millis, pair, type Row, ratio, whole } from '../benchmark.ts'
import { ROOT } from '../edges.ts'
import type { Findings, Task } from '../loads/track-load.ts'
import { measureByWrk } from '../loads/wrk.ts'
import { median } from '../numbers.ts'
import type { Engine } from '../process.ts'
import { command, type Program } from '../process.ts'

const POST_P99_MS = 15
const GET_P99_MS = 5

interface Mode {
  name: string
  engine: Engine
  serverCore?: number
  loadCore?: number
  /** Share of the limit server's single events. */
  singleAim: number
}

/** Share of the limit server's events in batches. */
const BATCH_AIM = 0.12

const canPin = cpus().length > 1 && process.platform === 'linux'

export const track: Benchmark = {
  name: 'track',
  measures: 'single events and batches of 100, against bare node:http and a limit server',
  async run(bench) {
    const modes: Mode[] = []
    // The quick profile measures PostgreSQL in `engines` only.
    for (const engine of bench.profile === 'quick' ? (['sqlite'] as const) : bench.edges.engines()) {
      modes.push({ name: `${engine}, cores shared with the load`, engine, singleAim: 0.4 })
      if (!canPin || engine !== 'sqlite') continue
      modes.push({ name: 'sqlite, server on one core', engine, serverCore: 0, loadCore: 1, singleAim: 0.35 })
    }
    const rows: Row[] = []
    const notes: string[] = []
    for (const mode of modes) {
      bench.log(mode.name)
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
  const limit = await startLimit(bench, engine, serverCore)
  const found = await runLoad(
    {
      edgeUrl: edge.address,
      edgePid: edge.pid,
      bareUrl: bare.address,
      barePid: bare.pid,
      limit: { url: limit.address, pid: limit.pid },
      dataDir: edge.dataDir,
      warmMs: bench.pick({ rehearsal: 200, quick: 1000, full: 2000 }),
      rounds: bench.pick({ rehearsal: 1, quick: 3, full: 5 }),
      roundMs: bench.pick({ rehearsal: 200, quick: 1500, full: 3000 }),
      steadyMs: bench.pick({ rehearsal: 500, quick: 10_000, full: 15_000 }),
    },
    loadCore,
  )
  const byWrk = await measureByWrk(edge, bare.address, bench.pick({ rehearsal: 1, quick: 1, full: 3 }), loadCore)
  await Promise.all([edge.stop(), bare.stop(), limit.stop()])
  return { found, byWrk }
}

/**
 * Starts the server at the technologies' upper limit, with its own folder on the same disk or its own database on the
 * same server.
 */
async function startLimit({ edges }: Bench, engine: Engine, core: number | undefined): Promise<Program> {
  const { DATA_DIR, DATABASE_URL = DATA_DIR } = await edges.settle({ engine })
  return edges.startOther([join(ROOT, 'bench/peers/limit-server.mjs'), DATABASE_URL], core)
}

function runLoad(task: Task, core: number | undefined): Promise<Findings> {
  const [file, args] = command(core, ['--import', 'tsx', join(ROOT, 'bench/loads/track-load.ts'), JSON.stringify(task)])
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
  return [
    { what: `**${name}**: bare node:http, requests/s`, value: whole(bare) },
    { what: 'Single events/s, 64 connections, one inbox campaign', value: whole(median(found.singlePerSecond)) },
    { what: '… of bare requests', value: ratio(median(found.ratios)) },
    { what: 'Events/s in batches of 100', value: whole(batch) },
    { what: '… events per bare request', value: ratio(batch / bare) },
    ...describeLimit(engine, found, singleAim),
    {
      what: `POST p50 / p99 at ${whole(found.atRate)}/s (40 %)`,
      value: pair(found.postP50, found.postP99),
      aim: `p99 ≤ ${millis(POST_P99_MS)}`,
      isMet: found.postP99 <= POST_P99_MS,
    },
    {
      what: '… the same load at the bare server / at the limit, no GETs beside it: p50 / p99',
      value: [found.bareSteady, found.limitSteady].map(([p50, p99]) => pair(p50, p99)).join('; '),
    },
    {
      what: 'Inbox GET p50 / p99 meanwhile, 50/s',
      value: pair(found.getP50, found.getP99),
      aim: `p99 ≤ ${millis(GET_P99_MS)}`,
      isMet: found.getP99 <= GET_P99_MS,
    },
  ]
}

/** Describes the distance to that upper limit, and the processor time of both. */
function describeLimit(
  engine: Engine,
  { singlePerSecond, batchEventsPerSecond, barePerSecond, limit, micros }: Findings,
  singleAim: number,
): Row[] {
  const per = (values: number[]) => (values.length === 0 ? '–' : median(values).toFixed(0))
  const cost: Row = {
    what: 'Processor time an event, µs: bare request / limit / edge; in batches: limit / edge',
    value: `${per(micros.bare)} / ${per(micros.limitSingle)} / ${per(micros.single)}; ${per(micros.limitBatch)} / ${per(micros.batch)}`,
  }
  const shareOf = (of: number[], by: number[]) => median(of.map((rate, at) => rate / (by[at] ?? Number.NaN)))
  const share = (of: number[], by: number[]) => ratio(shareOf(of, by))
  const single = shareOf(singlePerSecond, limit.singlePerSecond)
  const batch = shareOf(batchEventsPerSecond, limit.batchEventsPerSecond)
  const both = (single: string, batches: string) => `${single} / ${batches}`
  return [
    {
      what: `Limit (bare node:http, JSON.parse, one row an event in ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, group commit): single / batch events/s`,
      value: both(whole(median(limit.singlePerSecond)), whole(median(limit.batchEventsPerSecond))),
    },
    {
      what: '… of bare requests',
      value: both(share(limit.singlePerSecond, barePerSecond), share(limit.batchEventsPerSecond, barePerSecond)),
    },
    {
      what: '… the edge of that limit',
      value: both(ratio(single), ratio(batch)),
      ...(engine === 'sqlite' && {
        aim: `≥ ${both(ratio(singleAim), ratio(BATCH_AIM))}`,
        isMet: single >= singleAim && batch >= BATCH_AIM,
      }),
    },
    cost,
  ]
}
