// What `npm test` shows of a failed phase: at once which cases, and at the end what their errors say. Whatever passed is left out: a log that is cut off must not be cut off for that.

import { stripVTControlCharacters } from 'node:util'

/** Under the phase's line; the rest is counted. */
const SHOWN = 10

/** The failed cases, for the line under the phase's. */
export function listFailures(failures: string[], root: string): string[] {
  const lines = failures.slice(0, SHOWN).map((failure) => `     ✗ ${failure.replaceAll(`${root}/`, '')}`)
  if (failures.length > SHOWN) lines.push(`     and ${failures.length - SHOWN} more`)
  return lines
}

/** Where vitest begins to tell of failures, after all files. */
const BEGINS = /^⎯+\s*(Failed|Unhandled|Startup) /
/** A file or case that passed, for a reporter that did not come to its end. */
const PASSED = /^\s*✓ /

/** The failures of a reporter's output, without what passed. */
export function failureBlocks(output: string): string {
  const lines = output.split('\n')
  const plain = lines.map(stripVTControlCharacters)
  const begin = plain.findIndex((line) => BEGINS.test(line))
  const shown = begin < 0 ? lines.filter((_, at) => !PASSED.test(plain[at] as string)) : lines.slice(begin)
  return shown.join('\n').trim()
}
