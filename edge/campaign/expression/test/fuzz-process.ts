// Evaluates generated sources in a process with a small heap, and prints what it found as one line of JSON.

import { openSync, writeSync } from 'node:fs'
import { ENGINES } from './fuzz-engines.ts'
import { createRandom } from './random.ts'

export interface FuzzOrder {
  engine: keyof typeof ENGINES
  seed: number
  /** The first of these that is reached ends the process. */
  seconds: number
  runs: number
  deadlineMs: number
  /** A file that holds the case in progress. */
  progress: string
}
export interface FuzzFault {
  /** Of a generated case; a known attack has none. */
  seed?: number
  message: string
  /** Shortened as long as it fails. */
  source: string
}
export interface FuzzReport {
  runs: number
  faults: FuzzFault[]
  slowest: { ms: number; seed: number; source: string }
}

const MAX_FAULTS = 5
const SHRINKING_MS = 20_000

/** Processor time of the whole process, with its collector of garbage. */
function measure(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Removes parts of a source, from halves to single characters, as long as `holds`. */
function shrink(source: string, holds: (source: string) => boolean): string {
  const endsAt = performance.now() + SHRINKING_MS
  let kept = source
  for (let size = Math.ceil(kept.length / 2); size >= 1 && performance.now() < endsAt; size = Math.floor(size / 2)) {
    for (let at = 0; at < kept.length && performance.now() < endsAt; ) {
      const shorter = kept.slice(0, at) + kept.slice(at + size)
      if (shorter !== kept && holds(shorter)) kept = shorter
      else at += size
    }
  }
  return kept
}

/** The first evaluation may pay for the garbage of others, or for code that is not compiled yet. */
function timeOf(evaluate: () => void, first = measure(evaluate)): number {
  return Math.min(first, measure(evaluate), measure(evaluate))
}

/** Writes the name of each case before it begins: nothing else remains of a process that ends. */
function createProgress(path: string): (name: string) => void {
  const file = openSync(path, 'w')
  return (name) => writeSync(file, name.padEnd(100), 0)
}

/** @returns the faults of the known attacks of an engine */
function runAttacks({ engine, deadlineMs }: FuzzOrder, begin: (name: string) => void): FuzzFault[] {
  const { attacks, evaluate } = ENGINES[engine]
  return attacks.flatMap(({ name, source, outcome, kind }) => {
    begin(name)
    let actual: string = 'none'
    const attack = () => {
      actual = evaluate(source, kind)
    }
    const first = measure(attack)
    if (actual !== outcome) return [{ message: `${name} is ${actual} instead of ${outcome}`, source }]
    const ms = first > deadlineMs ? timeOf(attack, first) : first
    return ms > deadlineMs ? [{ message: `${name} takes ${ms.toFixed(0)} ms`, source }] : []
  })
}

function runGenerated(order: FuzzOrder, begin: (name: string) => void): FuzzReport {
  const { engine, seed, seconds, runs, deadlineMs } = order
  const { generate, evaluate } = ENGINES[engine]
  const faults: FuzzFault[] = []
  let slowest = { ms: 0, seed, source: '' }
  const endsAt = performance.now() + seconds * 1000
  const failureOf = (source: string) => {
    try {
      evaluate(source)
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    }
  }

  let done = 0
  for (; done < runs && performance.now() < endsAt && faults.length < MAX_FAULTS; done++) {
    const caseSeed = (seed + done) >>> 0
    begin(`seed ${caseSeed}`)
    const source = generate(createRandom(Math.imul(caseSeed, 0x9e3779b1)))
    let message: string | undefined
    const first = measure(() => {
      message = failureOf(source)
    })
    if (message !== undefined) {
      const failed = message
      faults.push({ seed: caseSeed, message: failed, source: shrink(source, (one) => failureOf(one) === failed) })
    } else if (first > slowest.ms) {
      const ms = timeOf(() => failureOf(source), first)
      if (ms > slowest.ms) slowest = { ms, seed: caseSeed, source }
      if (ms <= deadlineMs) continue
      const shorter = shrink(source, (one) => timeOf(() => failureOf(one)) > deadlineMs * 0.8)
      faults.push({ seed: caseSeed, message: `${ms.toFixed(0)} ms of processor time`, source: shorter })
    }
  }
  return { runs: done, faults, slowest }
}

function run(order: FuzzOrder): FuzzReport {
  const begin = createProgress(order.progress)
  const faults = runAttacks(order, begin)
  if (faults.length > 0) return { runs: faults.length, faults, slowest: { ms: 0, seed: order.seed, source: '' } }
  return runGenerated(order, begin)
}

const [order] = process.argv.slice(2)
if (order === undefined) throw new Error('fuzz process has no order')
process.stdout.write(`${JSON.stringify(run(JSON.parse(order) as FuzzOrder))}\n`)
