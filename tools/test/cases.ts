// Describes the cases of a step. A step without cases, or with a bad exit and no failed case, has failed.

import { stripVTControlCharacters } from 'node:util'

/** Maximum length of an error line, in characters. */
const LINE = 300

export interface Case {
  /** The project of vitest, or the step. */
  group: string
  /** The file and the title. */
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** Message of the error of a failed case. */
  error?: string
  /** How long its whole file took, with imports and hooks (ms). */
  fileMs?: number
}

export interface Ending {
  /** Exit status; null when a signal ended the process. */
  status: number | null
  isTimedOut: boolean
}

/** Adds what is wrong beside the cases themselves. On CI no case may be skipped. */
export function judge(step: string, cases: Case[] | undefined, { status, isTimedOut }: Ending, isCi: boolean): Case[] {
  const judged = (cases ?? []).map((one): Case => {
    if (!isCi || one.outcome !== 'skipped') return one
    return { ...one, outcome: 'failed', error: 'skipped, and on CI nothing is skipped' }
  })
  const addFault = (error: string) => judged.push({ group: step, name: step, outcome: 'failed', error })
  const count = (outcome: Case['outcome']) => judged.filter((one) => one.outcome === outcome).length
  if (isTimedOut) addFault('took too long and was ended')
  else if (status === null) addFault('was ended by a signal')
  else if (cases === undefined) addFault(`left no result (exit ${status})`)
  else if (count('passed') + count('failed') === 0) addFault('ran no test')
  else if (status !== 0 && count('failed') === 0) addFault(`ended with exit ${status}`)
  return judged
}

/** Describes a failure in one line: the case, the first line of its error, and for a property the seed that repeats it. */
export function describeFailure({ name, error = '' }: Case): string {
  const [first, second] = stripVTControlCharacters(error)
    .split('\n')
    .map((line) => line.trim().slice(0, LINE))
    .filter((line) => line !== '')
  if (first === undefined) return name
  return `${name}: ${first}${second?.startsWith('{ seed: ') ? ` ${second}` : ''}`
}

/** Lists the files that took longest, one line each. Files of one step run beside each other. */
export function slowestFiles(cases: Case[], count: number): string[] {
  const files = new Map<string, number>()
  for (const { group, name, fileMs } of cases) {
    if (fileMs !== undefined) files.set(`${group} ${name.split(' › ')[0]}`, fileMs)
  }
  const slowest = [...files].sort(([, a], [, b]) => b - a).slice(0, count)
  return slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)
}

/** Returns the first line of a check's output that begins with a file, else its first line. */
export function findFault(output: string): string {
  const lines = output.split('\n').map((line) => stripVTControlCharacters(line).trim())
  return lines.find((line) => /^[\w./-]+\.\w+[ :(]/.test(line)) ?? lines.find((line) => line !== '') ?? ''
}

/** Matches the heading of vitest's failures, which follows all files. */
const BEGINS = /^⎯+\s*(Failed|Unhandled|Startup) /m

/** Returns the failures in a reporter's output, without what passed. */
export function failureBlocks(output: string): string {
  const plain = stripVTControlCharacters(output)
  return plain.slice(Math.max(0, plain.search(BEGINS))).trim()
}
