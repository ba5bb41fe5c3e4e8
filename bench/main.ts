// `npm run bench`: all benchmarks in the quick profile (under ten minutes), into results.md. `-- --full`: more rounds and larger
// sizes. `-- <name> …`: only these; the sections of the others stay. `NC_BENCH=postgres` measures PostgreSQL beside
// SQLite; `NC_BENCH=rehearse` goes through each benchmark in its smallest shape and writes nothing; `BENCH_DATA` names the folder for the data. Everything is measured over HTTP and sockets, from outside of the server.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { provideServers } from '../tools/servers/programs.ts'
import type { Bench, Benchmark } from './benchmark.ts'
import { BENCHMARKS } from './benchmarks.ts'
import { createEdges, ROOT } from './edges.ts'
import { describeMachine } from './machine.ts'
import { putSection } from './report.ts'

const RESULTS = join(ROOT, 'bench/results.md')
const isFull = process.argv.includes('--full')
const isRehearsal = process.env.NC_BENCH?.includes('rehearse') === true
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))

function chosen(): Benchmark[] {
  const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name))
  if (unknown.length > 0) {
    const list = BENCHMARKS.map(({ name, measures }) => `  ${name.padEnd(12)} ${measures}`).join('\n')
    throw new Error(`There is no benchmark ${unknown.join(', ')}. These are:\n${list}`)
  }
  return names.length === 0 ? BENCHMARKS : BENCHMARKS.filter(({ name }) => names.includes(name))
}

const begun = performance.now()
const took: { name: string; seconds: number }[] = []
const leftOut: string[] = []
const say = (text: string) => console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`)

/** The quick profile is for a coffee: past this nothing more begins, and what is left out is said. */
const QUICK_LIMIT_MS = 9 * 60_000
const tooLate = () => !isFull && names.length === 0 && performance.now() - begun > QUICK_LIMIT_MS

/** The file is written after each benchmark: one that fails later takes nothing away. */
async function runOne(benchmark: Benchmark, bench: Bench): Promise<void> {
  const startedMs = performance.now()
  say(`${benchmark.name}: ${benchmark.measures}`)
  const loadBefore = loadavg()[0] ?? 0
  bench.edges.seen.clear()
  try {
    const finding = await benchmark.run(bench)
    const machine = describeMachine(bench.edges.seen, loadBefore, isFull)
    if (!isRehearsal) writeFileSync(RESULTS, putSection(readFileSync(RESULTS, 'utf8'), benchmark, machine, finding))
    for (const { what, value, aim } of finding.rows) say(`  ${what}: ${value}${aim === undefined ? '' : ` (${aim})`}`)
  } finally {
    await bench.edges.clear()
    took.push({ name: benchmark.name, seconds: (performance.now() - startedMs) / 1000 })
    say(`${benchmark.name} took ${took.at(-1)?.seconds.toFixed(0)} s`)
  }
}

function tellTimes(): void {
  const slowestFirst = [...took].sort((a, b) => b.seconds - a.seconds)
  say(`in all: ${slowestFirst.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ')}`)
  if (leftOut.length > 0) say(`no time was left for ${leftOut.join(', ')}; run them by name`)
}

const benchmarks = chosen()
// Before anything is measured: a machine without them is told at once what to install.
provideServers((line) => say(line), 'The benchmarks need them.')
execFileSync(process.execPath, ['--import', 'tsx', 'tools/build.ts'], { cwd: ROOT, stdio: 'inherit' })
const edges = createEdges((text) => say(`  ${text}`))
let failed = 0
for (const [at, benchmark] of benchmarks.entries()) {
  if (tooLate()) {
    leftOut.push(benchmark.name)
    continue
  }
  say(`benchmark ${at + 1} of ${benchmarks.length}`)
  try {
    await runOne(benchmark, { isFull, isRehearsal, edges, say: (text) => say(`  ${text}`) })
  } catch (error) {
    failed += 1
    say(`${benchmark.name} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
await edges.close()
tellTimes()
process.exit(failed + leftOut.length === 0 ? 0 : 1)
