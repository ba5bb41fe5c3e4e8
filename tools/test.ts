// `npm test`: every check and every test, each phase with its time, failures at the end, and the counts as the last line.
// `npm test -- unit` runs one phase (or several).

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findChromium } from './chromium.mjs'
import { killAll, type Ran, runNode } from './test/child.ts'
import { type Counts, countVitest, judge } from './test/counts.ts'
import { PHASES, type Phase } from './test/phases.ts'

const root = resolve(import.meta.dirname, '..')
const results = mkdtempSync(join(tmpdir(), 'nc-test-'))
const isCi = process.env.CI === 'true'

process.on('exit', () => {
  killAll()
  rmSync(results, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

function choose(names: string[]): Phase[] {
  const unknown = names.filter((name) => !PHASES.some((phase) => phase.name === name))
  if (unknown.length > 0) {
    console.error(`There is no phase ${unknown.join(', ')}; there are ${PHASES.map(({ name }) => name).join(', ')}.`)
    process.exit(2)
  }
  return names.length === 0 ? PHASES : PHASES.filter(({ name }) => names.includes(name))
}

function countsOf(phase: Phase, ran: Ran, file: string): Counts | undefined {
  if (phase.counts === 'exit') {
    return ran.status === 0
      ? { passed: 1, failed: 0, skipped: 0, failures: [] }
      : { passed: 0, failed: 1, skipped: 0, failures: [`${phase.name} found faults`] }
  }
  if (!existsSync(file)) return undefined
  const result: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return phase.counts === 'widget' ? (result as Counts) : countVitest(result as Parameters<typeof countVitest>[0])
}

async function run(phase: Phase): Promise<{ counts: Counts; output: string }> {
  const file = join(results, `${phase.name}.json`)
  try {
    if (phase.needsChromium === true) await findChromium()
  } catch (error) {
    return { counts: { passed: 0, failed: 1, skipped: 0, failures: [String(error)] }, output: '' }
  }
  const ran = await runNode(phase.args(file), root, phase.limitMs)
  return { counts: judge(countsOf(phase, ran, file), ran, isCi), output: ran.output }
}

const begun = performance.now()
const since = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`
const failed: { name: string; counts: Counts; output: string }[] = []
const sum = { passed: 0, failed: 0 }

for (const phase of choose(process.argv.slice(2))) {
  const started = performance.now()
  const { counts, output } = await run(phase)
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  const mark = counts.failed === 0 ? 'ok  ' : 'FAIL'
  console.log(
    `${mark} ${phase.name.padEnd(11)} ${since(started).padStart(8)}  ${counts.passed} passed, ${counts.failed} failed${skipped}`,
  )
  sum.passed += counts.passed
  sum.failed += counts.failed
  if (counts.failed > 0) failed.push({ name: phase.name, counts, output })
}

for (const { name, counts, output } of failed) {
  console.log(`\n──── ${name} ────\n${output.trimEnd()}\n`)
  for (const failure of counts.failures) console.log(`  ✗ ${failure}`)
}
console.log(`\nall in ${since(begun)}`)
console.log(`${sum.passed} passed, ${sum.failed} failed`)
process.exit(sum.failed === 0 ? 0 : 1)
