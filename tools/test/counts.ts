// Converts the results of a phase to counts. A phase without cases, or with a bad exit and no failed case, has failed.

import { stripVTControlCharacters } from 'node:util'

/** Maximum length of an error line, in characters. */
const LINE = 300
/** Maximum number of files that the line of a failed check names. */
const FAULTS = 5

export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Failed cases with the first line of their error, or faults outside of cases. */
  failures: string[]
}

export interface Ending {
  /** Exit status; null when a signal ended the process. */
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
    // A file that cannot be loaded, or whose hooks fail, has no failed case.
    const isCaseFailed = file.assertionResults.some(({ status }) => status === 'failed')
    if (file.status === 'failed' && !isCaseFailed) fail(counts, describeFailure(file.name, file.message))
  }
  return counts
}

/** Describes a failure in one line: the case, the first line of its error, and for a property the seed that repeats it. */
export function describeFailure(name: string, message = ''): string {
  const [first, second] = message.split('\n').filter((line) => line.trim() !== '')
  if (first === undefined) return name
  const seed = second?.startsWith('{ seed: ') ? ` ${second}` : ''
  // For a case that timed out, vitest's report contains only the stack trace that was taken before.
  const error = first.trim() === 'Error: STACK_TRACE_ERROR' ? 'timed out' : first.trim()
  return `${name}: ${error.slice(0, LINE)}${seed.slice(0, LINE)}`
}

/** Returns the output lines of a check that begin with a file. */
export function describeFaults(name: string, output: string): string[] {
  const lines = output.split('\n').map((line) => stripVTControlCharacters(line).trim())
  const ofFiles = lines.filter((line) => /^[\w./-]+\.\w+[ :(]/.test(line)).map((line) => line.replace(/ ━+$/, ''))
  const told = ofFiles.slice(0, FAULTS).map((line) => line.slice(0, LINE))
  return told.length === 0 ? [`${name} found faults`] : [`${name} found faults: ${told.join('; ')}`]
}

/** Computes the final counts of a phase. On CI no case may be skipped. */
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
