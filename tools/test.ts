// Runs every check and test (`npm test`): time of each phase, failures at the end, and the counts as the last line.
// `npm test -- unit` runs one phase (or several); `journeys` means both `journeys:sqlite` and `journeys:postgres`.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { installPrograms } from './programs/install-programs.ts'
import { killAll, type Ran, runNode } from './test/child.ts'
import { type Counts, countVitest, describeFaults, judge, type VitestReport } from './test/counts.ts'
import { casesOf, findLeftOut } from './test/engines.ts'
import { failureBlocks, listFailures } from './test/failures.ts'
import { describeLeak, findLeaks, type Leak } from './test/leaks.ts'
import { PHASES, type Phase } from './test/phases.ts'
import { runPhases } from './test/run-phases.ts'

const root = resolve(import.meta.dirname, '..')
const results = mkdtempSync(join(tmpdir(), 'nc-test-'))
const isCi = process.env.CI === 'true'

process.on('exit', () => {
  killAll()
  rmSync(results, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

function choose(names: string[]): Phase[] {
  const isMeant = (name: string) => (phase: Phase) => phase.name === name || phase.name.startsWith(`${name}:`)
  const unknown = names.filter((name) => !PHASES.some(isMeant(name)))
  if (unknown.length > 0) {
    console.error(`There is no phase ${unknown.join(', ')}; there are ${PHASES.map(({ name }) => name).join(', ')}.`)
    process.exit(2)
  }
  return names.length === 0 ? PHASES : PHASES.filter((phase) => names.some((name) => isMeant(name)(phase)))
}

const fileOf = ({ name }: Phase) => join(results, `${name}.json`)

function readReport(phase: Phase): unknown {
  return existsSync(fileOf(phase)) ? JSON.parse(readFileSync(fileOf(phase), 'utf8')) : undefined
}

function countsOf(phase: Phase, ran: Ran): Counts | undefined {
  if (phase.counts === 'exit') {
    return ran.status === 0
      ? { passed: 1, failed: 0, skipped: 0, failures: [] }
      : { passed: 0, failed: 1, skipped: 0, failures: describeFaults(phase.name, ran.output) }
  }
  const result = readReport(phase)
  if (result === undefined) return undefined
  return phase.counts === 'counts' ? (result as Counts) : countVitest(result as VitestReport)
}

async function run(phase: Phase): Promise<{ counts: Counts; output: string }> {
  const ran = await runNode(phase.args(fileOf(phase)), root, phase.limitMs, phase.env)
  const counts = judge(countsOf(phase, ran), ran, isCi)
  const leaks = counts.failed > 0 ? [] : leaksOf(phase, ran)
  if (leaks.length === 0) return { counts, output: ran.output }
  const failures = leaks.map((leak) => `in the output: ${describeLeak(leak)}`)
  return { counts: { ...counts, failed: leaks.length, failures }, output: '' }
}

/** Finds secrets and e-mail addresses in the output of a phase. Titles of unit tests contain invented ones. */
function leaksOf({ name }: Phase, { output }: Ran): Leak[] {
  return name === 'unit' ? [] : findLeaks(name, output)
}

/** Compares both engines after their journeys: one passed case when they ran alike, else what only one of them ran. */
function compareEngines(phases: Phase[]): Counts | undefined {
  const ran = (engine: string): string[] | undefined => {
    const phase = phases.find(({ name }) => name === `journeys:${engine}`)
    const report = phase === undefined ? undefined : readReport(phase)
    return report === undefined ? undefined : casesOf(report as VitestReport, root)
  }
  const [sqlite, postgres] = [ran('sqlite'), ran('postgres')]
  if (sqlite === undefined || postgres === undefined) return undefined
  const failures = findLeftOut({ sqlite, postgres })
  return { passed: failures.length === 0 ? 1 : 0, failed: failures.length, skipped: 0, failures }
}

const begun = performance.now()
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const failed: { name: string; counts: Counts; output: string }[] = []
const sum = { passed: 0, failed: 0 }

function report(name: string, { counts, output, tookMs }: Ended): void {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  const mark = counts.failed === 0 ? 'ok  ' : 'FAIL'
  console.log(
    `${mark} ${name.padEnd(17)} ${seconds(tookMs).padStart(8)}  ${counts.passed} passed, ${counts.failed} failed${skipped}`,
  )
  sum.passed += counts.passed
  sum.failed += counts.failed
  if (counts.failed === 0) return
  failed.push({ name, counts, output })
  for (const line of listFailures(counts.failures, root)) console.log(line)
}

interface Ended {
  counts: Counts
  output: string
  tookMs: number
}

async function runTimed(phase: Phase): Promise<Ended> {
  const started = performance.now()
  const ended = await run(phase)
  return { ...ended, tookMs: performance.now() - started }
}

const phases = choose(process.argv.slice(2))
// npm leaves the optional package out where it can be neither fetched nor built.
const hasBetterSqlite3 = existsSync(join(root, 'node_modules/better-sqlite3'))
console.log(
  hasBetterSqlite3
    ? 'SQLite: better-sqlite3; the store’s tests run on libsql, too.'
    : 'SQLite: libsql alone. better-sqlite3 could not be built here, so its share of the store’s tests does not run.',
)
try {
  await installPrograms(
    phases.flatMap(({ needs = [] }) => needs),
    { log: console.log, isStrict: isCi },
  )
} catch (error) {
  console.log(`${error instanceof Error ? error.message : String(error)}\n\n0 passed, 1 failed`)
  process.exit(1)
}
await runPhases(phases, runTimed, ({ name }, ended) => report(name, ended))
const alike = compareEngines(phases)
if (alike !== undefined) report('both engines', { counts: alike, output: '', tookMs: 0 })

for (const { name, counts, output } of failed) {
  console.log(`\n──── ${name} ────\n${failureBlocks(output)}\n`)
  for (const failure of counts.failures) console.log(`  ✗ ${failure}`)
}
console.log(`\nall in ${seconds(performance.now() - begun)}`)
console.log(`${sum.passed} passed, ${sum.failed} failed`)
process.exit(sum.failed === 0 ? 0 : 1)
