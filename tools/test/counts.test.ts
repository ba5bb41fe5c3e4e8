// Tests that no phase counts as passed without passed cases.

import { expect, test } from 'vitest'
import { type Counts, countVitest, describeFailure, describeFaults, judge } from './counts.ts'

const ended = { status: 0, isTimedOut: false }
const counts = (passed: number, failed = 0, skipped = 0): Counts => ({ passed, failed, skipped, failures: [] })
const cases = (...statuses: string[]) => statuses.map((status, at) => ({ fullName: `case ${at}`, status }))

test('cases are counted by what became of them', () => {
  const report = {
    testResults: [
      { name: 'a', status: 'passed', assertionResults: cases('passed', 'passed', 'pending', 'todo') },
      { name: 'b', status: 'failed', assertionResults: cases('passed', 'failed') },
    ],
  }
  expect(countVitest(report)).toEqual({ passed: 3, failed: 1, skipped: 2, failures: ['b › case 1'] })
})

test('a case that ran out of time says so', () => {
  expect(describeFailure('case', 'Error: STACK_TRACE_ERROR\n    at task (chunk.js:1784:27)')).toBe('case: timed out')
})

test('a failed case is told with the first line of its error', () => {
  const failed = {
    fullName: 'case',
    status: 'failed',
    failureMessages: ['\nAssertionError: 2 is not 3\n    at a.ts:1:1'],
  }
  const report = { testResults: [{ name: 'a', status: 'failed', assertionResults: [failed] }] }
  expect(countVitest(report).failures).toEqual(['a › case: AssertionError: 2 is not 3'])
})

test('a file that cannot be loaded is a failure', () => {
  const report = { testResults: [{ name: 'a', status: 'failed', message: 'no such module', assertionResults: [] }] }
  expect(countVitest(report)).toMatchObject({ passed: 0, failed: 1, failures: ['a: no such module'] })
})

test('a phase passes only when something passed and it ended well', () => {
  expect(judge(counts(3), ended, true)).toMatchObject({ passed: 3, failed: 0 })
  expect(judge(counts(0), ended, false)).toMatchObject({ failed: 1, failures: ['ran no test'] })
  expect(judge(undefined, ended, false)).toMatchObject({ failed: 1 })
  expect(judge(counts(3), { status: 1, isTimedOut: false }, false)).toMatchObject({ passed: 3, failed: 1 })
  expect(judge(counts(3), { status: null, isTimedOut: true }, false)).toMatchObject({ passed: 3, failed: 1 })
})

test('a failed case is not counted twice for the exit status', () => {
  expect(judge(counts(3, 2), { status: 1, isTimedOut: false }, false)).toMatchObject({ passed: 3, failed: 2 })
})

test('on CI what is skipped has failed', () => {
  expect(judge(counts(3, 0, 2), ended, true)).toMatchObject({ failed: 2 })
  expect(judge(counts(3, 0, 2), ended, false)).toMatchObject({ failed: 0 })
})

test('a failed property is told with its seed, another failure with the first line of its error', () => {
  const property =
    'Error: Property failed after 8 tests\n{ seed: 7, path: "1:2", endOnFailure: true }\nCounterexample: []'
  expect(describeFailure('case', property)).toBe(
    'case: Error: Property failed after 8 tests { seed: 7, path: "1:2", endOnFailure: true }',
  )
  expect(describeFailure('case', '\nError: no\n  at x')).toBe('case: Error: no')
})

test('a failed check is told with the files that it names', () => {
  const output = '\u001b[1mtools/a.ts\u001b[0m format ━━━━━━\n\n  × differs\nedge/b.ts:3:1 lint/suspicious ━━━\n'
  expect(describeFaults('format', output)).toEqual([
    'format found faults: tools/a.ts format; edge/b.ts:3:1 lint/suspicious',
  ])
  expect(describeFaults('types', 'nothing')).toEqual(['types found faults'])
})
