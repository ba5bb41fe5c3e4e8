// Runs benchmarks into results.md (`npm run bench`), in the quick profile under ten minutes. Measures from outside of the server.
// `-- --full`: more rounds and larger sizes; `-- <name> …`: only these; `-- --plan`: prints the plan and its time.
// `NC_BENCH=sqlite` skips PostgreSQL where possible; `rehearse` runs all with the smallest counts and keeps no result;
// `patient` keeps none and multiplies the limits, for busy machines. `BENCH_DATA` names the data folder.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { installPrograms } from '../tools/programs/install-programs.ts'
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

/** A run of one engine does not replace the figures of both. */
const variant = ENGINES.length === 1 ? `${profile}, ${ENGINES[0]} alone` : profile

const PATIENT_TIMES = 8

/**
 * Time for a benchmark over its limit to fail by itself after its servers are gone; otherwise it would disturb the
 * next.
 */
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
const log = (text: string) => console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`)
const minutesGone = () => (performance.now() - begun) / 60_000

/** Ends the running benchmark. An unhandled rejection ends its benchmark, not the run. */
let endCurrent: (why: string) => void = (why) => {
  throw new Error(why)
}
process.on('unhandledRejection', (error) => endCurrent(error instanceof Error ? error.message : String(error)))

/** Runs a benchmark within its limit, and stops what it started. @throws when its time is over */
async function within(limitMinutes: number, { benchmark }: Planned): Promise<Finding> {
  const bench: Bench = {
    profile,
    isFull: profile === 'full',
    isRehearsal,
    pick: (sizes) => sizes[profile],
    edges,
    log: (text) => log(`  ${text}`),
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
      log(`${benchmark.name} goes on without its servers; nothing can be measured beside it`)
      process.exit(1)
    }
  }
}

/** Runs one benchmark and writes the file at once, so that a later failure loses no result. */
async function runOne(planned: Planned, limitMinutes: number): Promise<void> {
  const { benchmark } = planned
  const startedMs = performance.now()
  log(`${benchmark.name}: ${benchmark.measures}`)
  const others = await measureOthers()
  edges.seen.clear()
  try {
    takeRefused()
    const found = await within(limitMinutes, planned)
    const finding = { ...found, notes: [...(found.notes ?? []), ...reportRefused(takeRefused())] }
    const minutes = (performance.now() - startedMs) / 60_000
    const machine = describeMachine(edges.seen, others, profile, minutes)
    if (!isRehearsal && !isPatient)
      writeFileSync(
        RESULTS,
        putSection(existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '', benchmark, variant, machine, finding),
      )
    console.log(`\n${machine}\n\n${describe(finding)}\n`)
  } finally {
    took.push({ name: benchmark.name, seconds: (performance.now() - startedMs) / 1000 })
    log(`${benchmark.name} took ${took.at(-1)?.seconds.toFixed(0)} s`)
  }
}

function reportRefused(count: number): string[] {
  return count === 0 ? [] : [`Refused because the edge was busy, and sent again, in this process: ${count} requests.`]
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const planned = chosen()
console.log(describePlan(planned, profile).join('\n'))
const leftOut = names.length > 0 ? [] : BENCHMARKS.filter((one) => !planned.includes(one))
for (const { benchmark } of leftOut)
  console.log(`           ${benchmark.name.padEnd(12)} with --full, or by its name: ${benchmark.measures}`)
if (flags.includes('--plan')) process.exit(0)
// Missing programs are reported before anything is measured.
const needsChromium = planned.some(({ benchmark }) => ['widget', 'dashboard'].includes(benchmark.name))
await installPrograms(['postgres', 'redis', ...(needsChromium ? (['chromium'] as const) : [])], { log: log })
execFileSync(process.execPath, ['--import', 'tsx', 'tools/build.ts'], { cwd: ROOT, stdio: 'inherit' })
const edges = createEdges((text) => log(`  ${text}`))
for (const [at, one] of planned.entries()) {
  const { name } = one.benchmark
  const own = limitOf(one, profile, names.length === 0, isPatient ? 0 : minutesGone())
  const limitMinutes = own !== undefined && isPatient ? own * PATIENT_TIMES : own
  if (limitMinutes === undefined) {
    wrong.push(`${name}: no time was left for it; run it by name`)
    continue
  }
  log(`benchmark ${at + 1} of ${planned.length}`)
  await runOne(one, limitMinutes).catch((error: unknown) => {
    wrong.push(`${name} failed: ${error instanceof Error ? error.message : String(error)}`)
    log(wrong.at(-1) ?? '')
  })
}
await edges.close()
log(`in all: ${took.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ')}`)
for (const line of wrong) log(line)
process.exit(wrong.length === 0 ? 0 : 1)
