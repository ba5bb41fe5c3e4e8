// Runs `npm test`, with `--deep` `npm run test:deep`, with `--release` `npm run test:release`: the time of each step, failures at the end, and the counts as the last line.
// `npm test -- unit types` runs only those steps or projects of vitest.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { installPrograms } from './programs/install-programs.ts'
import { type Case, describeFailure, failureBlocks, findFault, judge, slowestFiles } from './test/cases.ts'
import { describeLeak, findLeaks } from './test/leaks.ts'
import { killAll, type Ran, runNode } from './test/run-node.ts'
import { DEEP, RELEASE, type Step, select, TEST } from './test/steps.ts'

/** Maximum number of failures below the line of a step; the others are counted. */
const SHOWN = 10
/** Files that are listed at the end because they took longest. */
const SLOWEST = 10

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'nc-test-'))
const isCi = process.env.CI === 'true'
const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith('--'))
const stages = select(words.includes('--release') ? RELEASE : words.includes('--deep') ? DEEP : TEST, names)

process.on('exit', () => {
  killAll()
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

function casesOf({ name, groups }: Step, file: string, { status, output }: Ran): Case[] | undefined {
  if (groups.length > 0) return existsSync(file) ? readCases(file) : undefined
  return [{ group: name, name, outcome: status === 0 ? 'passed' : 'failed', error: findFault(output) }]
}

function readCases(file: string): Case[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Case)
}

const begun = performance.now()
const secondsSince = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`
const ended: Case[] = []
const failed: { name: string; output: string; failures: string[] }[] = []

function count(cases: Case[]): string {
  const of = (outcome: Case['outcome']) => cases.filter((one) => one.outcome === outcome).length
  const skipped = of('skipped') > 0 ? `, ${of('skipped')} skipped` : ''
  return `${of('passed')} passed, ${of('failed')} failed${skipped}`
}

async function run(step: Step): Promise<void> {
  const start = performance.now()
  const file = join(folder, `${step.name}.json`)
  const ran = await runNode(step.args(file), root, step.limitMinutes * 60_000, step.env)
  const cases = judge(step.name, casesOf(step, file, ran), ran, isCi)
  const hasFailed = () => cases.some(({ outcome }) => outcome === 'failed')
  let output = failureBlocks(ran.output)
  if (!hasFailed()) {
    const leaks = findLeaks(step.name, ran.output).map((leak) => `in the output: ${describeLeak(leak)}`)
    for (const name of leaks) cases.push({ group: step.name, name, outcome: 'failed' })
    output = ''
  }
  ended.push(...cases)
  console.log(
    `${hasFailed() ? 'FAIL' : 'ok  '} ${step.name.padEnd(17)} ${secondsSince(start).padStart(8)}  ${count(cases)}`,
  )
  for (const group of step.groups.length > 1 ? step.groups : []) {
    console.log(`       ${group.padEnd(24)} ${count(cases.filter((one) => one.group === group))}`)
  }
  if (!hasFailed()) return
  const failures = cases.filter(({ outcome }) => outcome === 'failed').map(describeFailure)
  failed.push({ name: step.name, output, failures })
  for (const failure of failures.slice(0, SHOWN)) console.log(`     ✗ ${failure}`)
  if (failures.length > SHOWN) console.log(`     and ${failures.length - SHOWN} more`)
}

/** Programs are installed beside the steps that need none. */
const installing = installPrograms(
  stages.flat(2).flatMap(({ needs }) => needs),
  { log: console.log, isStrict: isCi },
).catch((error: Error) => {
  console.log(`${error.message}\n\n0 passed, 1 failed`)
  process.exit(1)
})
// npm leaves the optional package out where it can be neither fetched nor built.
const hasBetterSqlite3 = existsSync(join(root, 'node_modules/better-sqlite3'))
console.log(
  `SQLite: ${hasBetterSqlite3 ? 'better-sqlite3' : 'libsql alone, because better-sqlite3 could not be built here'}.`,
)

async function runLane(steps: Step[]): Promise<void> {
  for (const step of steps) {
    if (step.needs.length > 0) await installing
    await run(step)
  }
}
for (const lanes of stages) await Promise.all(lanes.map(runLane))
await installing

for (const { name, output, failures } of failed) {
  console.log(`\n──── ${name} ────\n${output}\n`)
  for (const failure of failures) console.log(`  ✗ ${failure}`)
}
const slowest = slowestFiles(ended, SLOWEST)
if (slowest.length > 0) console.log(`\nSlowest files:\n${slowest.join('\n')}`)
console.log(`\nall in ${secondsSince(begun)}`)
console.log(count(ended).replace(/, \d+ skipped$/, ''))
process.exit(failed.length === 0 ? 0 : 1)
