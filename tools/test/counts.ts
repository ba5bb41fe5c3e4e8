// Turns what a phase left behind into numbers. A phase that ran nothing, or ended badly without a failed case, has failed.

import { stripVTControlCharacters } from 'node:util'

/** Of an error, in characters. */
const LINE = 300
/** Files that a failed check names in its line. */
const FAULTS = 5

export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Failed cases, each with the first line of its error, or what went wrong beside them. */
  failures: string[]
}

export interface Ending {
  /** Null when a signal ended it. */
  status: number | null
  isTimedOut: boolean
}

/** The parts of vitest's JSON report that are read. */
export interface VitestReport {
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

export function countVitest(report: VitestReport): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
  for (const file of report.testResults) {
    for (const { fullName, status, failureMessages } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1
      else if (status === 'failed') fail(counts, describeFailure(`${file.name} › ${fullName}`, failureMessages?.[0]))
      else counts.skipped += 1
    }
    // A file that cannot be loaded, or whose hooks fail, has no failed case of its own.
    const isCaseFailed = file.assertionResults.some(({ status }) => status === 'failed')
    if (file.status === 'failed' && !isCaseFailed) fail(counts, describeFailure(file.name, file.message))
  }
  return counts
}

/** One line: which case, and how its error begins; of a property also the seed, without which nobody finds the same again. */
export function describeFailure(name: string, message = ''): string {
  const [first, second] = message.split('\n').filter((line) => line.trim() !== '')
  if (first === undefined) return name
  const seed = second?.startsWith('{ seed: ') ? ` ${second}` : ''
  // All that vitest's report keeps of a case that ran out of time: the trace that it took beforehand.
  const error = first.trim() === 'Error: STACK_TRACE_ERROR' ? 'timed out' : first.trim()
  return `${name}: ${error.slice(0, LINE)}${seed.slice(0, LINE)}`
}

/** What a check that only ends well or badly says of files: each line that begins with one. */
export function describeFaults(name: string, output: string): string[] {
  const lines = output.split('\n').map((line) => stripVTControlCharacters(line).trim())
  const ofFiles = lines.filter((line) => /^[\w./-]+\.\w+[ :(]/.test(line)).map((line) => line.replace(/ ━+$/, ''))
  const told = ofFiles.slice(0, FAULTS).map((line) => line.slice(0, LINE))
  return told.length === 0 ? [`${name} found faults`] : [`${name} found faults: ${told.join('; ')}`]
}

/** What the phase counts for. On CI nothing may be skipped. */
export function judge(counts: Counts | undefined, ending: Ending, isCi: boolean): Counts {
  const judged: Counts =
    counts === undefined ? { passed: 0, failed: 0, skipped: 0, failures: [] } : structuredClone(counts)
  if (ending.isTimedOut) fail(judged, 'took too long and was ended')
  else if (counts === undefined) fail(judged, `left no result (exit ${ending.status})`)
  else if (judged.passed + judged.failed === 0) fail(judged, 'ran no test')
  else if (ending.status !== 0 && judged.failed === 0) fail(judged, `ended with exit ${ending.status}`)
  if (isCi && judged.skipped > 0) {
    judged.failed += judged.skipped
    judged.failures.push(`${judged.skipped} skipped, and on CI nothing is skipped`)
  }
  return judged
}

function fail(counts: Counts, what: string): void {
  counts.failed += 1
  counts.failures.push(what)
}
