// `npm run bench`: the figures of the issue, over HTTP and sockets on loopback, into results.md. Some two minutes; `-- --long`
// takes more rounds. Per mode: bare server and edge alternate in the same run at 64 connections, so that both meet the same
// machine; then batches of 100; then a steady 40 % of what was reached, with inbox reads beside it; then events to sockets.

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os'
import { join, resolve } from 'node:path'
import { command, startProgram } from './process.ts'
import { describeResults, type Machine, type Mode } from './report.ts'
import type { Findings, Task } from './track.ts'

const root = resolve(import.meta.dirname, '..')
const isLong = process.argv.includes('--long')
const rounds = isLong ? 7 : 3
const roundMs = isLong ? 5000 : 3000
const steadyMs = isLong ? 20_000 : 8000
let engine = ''
const loadBefore = loadavg()[0] ?? 0

/** With `serverCore` the server has that core alone and the load another; else the system shares both out. */
async function measure(serverCore: number | undefined, loadCore: number | undefined): Promise<Findings> {
  const dataDir = mkdtempSync(join(process.env.BENCH_DATA ?? tmpdir(), 'nc-bench-'))
  const settings = { PORT: '0', DATA_DIR: dataDir, SEED_DEMO: 'true', RATE_LIMITS: 'off', LOG_LEVEL: 'info' }
  const edge = await startProgram([join(root, 'edge/dist/main.js')], serverCore, settings)
  const bare = await startProgram([join(root, 'bench/bare-server.mjs')], serverCore)
  engine = edge.engine ?? ''
  try {
    return await runLoad({ edgeUrl: edge.address, bareUrl: bare.address, dataDir, rounds, roundMs, steadyMs }, loadCore)
  } finally {
    await Promise.all([edge.stop(), bare.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function runLoad(task: Task, core: number | undefined): Promise<Findings> {
  const [file, args] = command(core, ['--import', 'tsx', join(root, 'bench/track.ts'), JSON.stringify(task)])
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
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

function describeMachine(): Machine {
  const said = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: root, encoding: 'utf8' }).trim()
  const disk = said('df', '--output=fstype', process.env.BENCH_DATA ?? tmpdir()).split('\n')[1] ?? ''
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: said('git', 'rev-parse', '--short', 'HEAD'),
    cpu: cpus()[0]?.model ?? 'unknown processor',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.versions.node,
    engine,
    disk,
    loadBefore,
  }
}

execFileSync(process.execPath, ['--import', 'tsx', 'tools/build.ts'], { cwd: root, stdio: 'inherit' })
const modes: Mode[] = []
console.log('server and load share the cores …')
modes.push({
  name: 'Two cores, unpinned',
  aims: { single: 0.5, batch: 1 },
  findings: await measure(undefined, undefined),
})
if (cpus().length > 1 && process.platform === 'linux') {
  console.log('server on core 0, load on core 1 …')
  modes.push({ name: 'Server on one core', aims: { single: 0.35, batch: 1 }, findings: await measure(0, 1) })
}
const results = describeResults(describeMachine(), modes)
writeFileSync(join(root, 'bench/results.md'), results)
console.log(`\n${results}`)
