// Selects the output of a failed phase: the failed cases at once, their errors at the end.
// Passed cases are left out, so that a truncated log still contains the failures.

import { stripVTControlCharacters } from 'node:util'

/** Maximum number of cases below the line of a phase; the others are counted. */
const SHOWN = 10

/** Returns the failed cases, for the lines below the phase. */
export function listFailures(failures: string[], root: string): string[] {
  const lines = failures.slice(0, SHOWN).map((failure) => `     ✗ ${failure.replaceAll(`${root}/`, '')}`)
  if (failures.length > SHOWN) lines.push(`     and ${failures.length - SHOWN} more`)
  return lines
}

/** Matches the heading of vitest's failures, which follows all files. */
const BEGINS = /^⎯+\s*(Failed|Unhandled|Startup) /
/** Matches a passed file or case, for a reporter that was interrupted. */
const PASSED = /^\s*✓ /

/** Returns the failures in a reporter's output, without passed cases. */
export function failureBlocks(output: string): string {
  const lines = output.split('\n')
  const plain = lines.map(stripVTControlCharacters)
  const begin = plain.findIndex((line) => BEGINS.test(line))
  const shown = begin < 0 ? lines.filter((_, at) => !PASSED.test(plain[at] as string)) : lines.slice(begin)
  return shown.join('\n').trim()
}
