// `npm run bench`: all benchmarks in the quick profile (under ten minutes), into results.md. `-- --full`: more rounds and larger
// sizes. `-- <name> …`: only these; the sections of the others stay. `-- --plan`: what would run and for how long. Both engines are
// measured; `NC_BENCH=sqlite` leaves PostgreSQL out where a benchmark can, `NC_BENCH=rehearse` runs all of it with the smallest
// counts and keeps no result, `NC_BENCH=patient` keeps none and gives each many times its minutes: sizes of the profile on a busy machine. `BENCH_DATA` names the folder for the data. Everything is measured from outside of the server.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { provideServers } from '../tools/servers/programs.ts'
import type { Bench, Finding, Profile } from './benchmark.ts'
import { BENCHMARKS, chooseBenchmarks, type Planned } from './benchmarks.ts'
import { describePlan, limitOf } from './budget.ts'
import { createEdges, ENGINES, ROOT } from './edges.ts'
import { takeRefused } from './load.ts'
import { describeMachine, measureOthers } from './machine.ts'
import { describe, putSection } from './report.ts'

const RESULTS = join(ROOT, 'bench/results.md')
const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith('--'))
const flags = words.filter((word) => word.startsWith('--'))
const isRehearsal = process.env.NC_BENCH?.includes('rehearse') === true
const isPatient = process.env.NC_BENCH?.includes('patient') === true
const profile: Profile = isRehearsal ? 'rehearsal' : flags.includes('--full') ? 'full' : 'quick'

/** Figures of one engine alone do not replace those of both. */
const variant = ENGINES.length === 1 ? `${profile}, ${ENGINES[0]} alone` : profile

const PATIENT_TIMES = 8

/** What is done with one that was ended: its servers are gone, so it fails soon; one that does not would disturb the next. */
const ENDING_MS = 35_000

function chosen(): Planned[] {
  const unknown = names.filter((name) => !BENCHMARKS.some(({ benchmark }) => benchmark.name === name))
  unknown.push(...flags.filter((flag) => flag !== '--full' && flag !== '--plan'))
  if (unknown.length > 0) {
    throw new Error(
      `There is no benchmark ${unknown.join(', ')}. These are:\n${describePlan(BENCHMARKS, profile).join('\n')}`,
    )
  }
  return chooseBenchmarks(names, profile)
}

const begun = performance.now()
const took: { name: string; seconds: number }[] = []
const wrong: string[] = []
const say = (text: string) => console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`)
const minutesGone = () => (performance.now() - begun) / 60_000

/** Ends the benchmark that runs. A promise that nobody waits for ends its benchmark, not the run. */
let endCurrent: (why: string) => void = (why) => {
  throw new Error(why)
}
process.on('unhandledRejection', (error) => endCurrent(error instanceof Error ? error.message : String(error)))

/** Throws when its time is over. What it started is stopped either way. */
async function within(limitMinutes: number, { benchmark }: Planned): Promise<Finding> {
  const bench: Bench = {
    profile,
    isFull: profile === 'full',
    isRehearsal,
    pick: (sizes) => sizes[profile],
    edges,
    say: (text) => say(`  ${text}`),
  }
  const running = benchmark.run(bench)
  const ended = running.then(
    () => true,
    () => true,
  )
  const isOver = new Promise<never>((_resolve, reject) => {
    endCurrent = (why) => reject(new Error(why))
  })
  const limit = `it was ended after ${limitMinutes.toFixed(1)} minutes, which is its limit`
  const timer = setTimeout(endCurrent, limitMinutes * 60_000, limit)
  try {
    return await Promise.race([running, isOver])
  } finally {
    clearTimeout(timer)
    await edges.clear()
    const isQuiet = await Promise.race([ended, delay(ENDING_MS, false)])
    await edges.clear()
    if (!isQuiet) {
      say(`${benchmark.name} goes on without its servers; nothing can be measured beside it`)
      process.exit(1)
    }
  }
}

/** The file is written after each benchmark: one that fails later takes nothing away. */
async function runOne(planned: Planned, limitMinutes: number): Promise<void> {
  const { benchmark } = planned
  const startedMs = performance.now()
  say(`${benchmark.name}: ${benchmark.measures}`)
  const others = await measureOthers()
  edges.seen.clear()
  try {
    takeRefused()
    const found = await within(limitMinutes, planned)
    const finding = { ...found, notes: [...(found.notes ?? []), ...tellRefused(takeRefused())] }
    const minutes = (performance.now() - startedMs) / 60_000
    const machine = describeMachine(edges.seen, others, profile, minutes)
    if (!isRehearsal && !isPatient)
      writeFileSync(RESULTS, putSection(readFileSync(RESULTS, 'utf8'), benchmark, variant, machine, finding))
    console.log(`\n${machine}\n\n${describe(finding)}\n`)
  } finally {
    took.push({ name: benchmark.name, seconds: (performance.now() - startedMs) / 1000 })
    say(`${benchmark.name} took ${took.at(-1)?.seconds.toFixed(0)} s`)
  }
}

function tellRefused(count: number): string[] {
  return count === 0 ? [] : [`Refused because the edge was busy, and sent again, in this process: ${count} requests.`]
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const planned = chosen()
console.log(describePlan(planned, profile).join('\n'))
const leftOut = names.length > 0 ? [] : BENCHMARKS.filter((one) => !planned.includes(one))
for (const { benchmark } of leftOut)
  console.log(`           ${benchmark.name.padEnd(12)} with --full, or by its name: ${benchmark.measures}`)
if (flags.includes('--plan')) process.exit(0)
// Before anything is measured: a machine without them is told at once what to install.
provideServers((line) => say(line), 'The benchmarks need them.')
execFileSync(process.execPath, ['--import', 'tsx', 'tools/build.ts'], { cwd: ROOT, stdio: 'inherit' })
const edges = createEdges((text) => say(`  ${text}`))
for (const [at, one] of planned.entries()) {
  const { name } = one.benchmark
  const own = limitOf(one, profile, names.length === 0, isPatient ? 0 : minutesGone())
  const limitMinutes = own !== undefined && isPatient ? own * PATIENT_TIMES : own
  if (limitMinutes === undefined) {
    wrong.push(`${name}: no time was left for it; run it by name`)
    continue
  }
  say(`benchmark ${at + 1} of ${planned.length}`)
  await runOne(one, limitMinutes).catch((error: unknown) => {
    wrong.push(`${name} failed: ${error instanceof Error ? error.message : String(error)}`)
    say(wrong.at(-1) ?? '')
  })
}
await edges.close()
say(`in all: ${took.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ')}`)
for (const line of wrong) say(line)
process.exit(wrong.length === 0 ? 0 : 1)
