// Tests that no step counts as passed without passed cases, and that a failure is described in one line.

import { expect, test } from 'vitest'
import { type Case, describeFailure, failureBlocks, findFault, judge, slowestFiles } from './cases.ts'

const ended = { status: 0, isTimedOut: false }
const cases = (...outcomes: Case['outcome'][]): Case[] =>
  outcomes.map((outcome, at) => ({ group: 'unit', name: `case ${at}`, outcome }))
const errors = (judged: Case[]) =>
  judged.flatMap(({ outcome, error }) => (outcome === 'failed' ? (error ?? 'its own') : []))

test('a step passes only when something passed and it ended well', () => {
  expect(errors(judge('unit', cases('passed'), ended, true))).toEqual([])
  expect(errors(judge('unit', cases('skipped'), ended, false))).toEqual(['ran no test'])
  expect(errors(judge('unit', [], ended, false))).toEqual(['ran no test'])
  expect(errors(judge('unit', undefined, { status: 7, isTimedOut: false }, false))).toEqual(['left no result (exit 7)'])
  expect(errors(judge('unit', cases('passed'), { status: 1, isTimedOut: false }, false))).toEqual(['ended with exit 1'])
  const killed = { status: null, isTimedOut: false }
  expect(errors(judge('unit', cases('failed'), killed, false))).toEqual(['its own', 'was ended by a signal'])
  const late = { status: null, isTimedOut: true }
  expect(errors(judge('unit', cases('passed'), late, false))).toEqual(['took too long and was ended'])
})

test('a failed case is not counted twice for the exit status', () => {
  const judged = judge('unit', cases('passed', 'failed', 'failed'), { status: 1, isTimedOut: false }, false)
  expect(errors(judged)).toEqual(['its own', 'its own'])
})

test('on CI what is skipped has failed', () => {
  const both = cases('passed', 'skipped', 'skipped')
  expect(errors(judge('unit', both, ended, true))).toHaveLength(2)
  expect(errors(judge('unit', both, ended, false))).toEqual([])
})

test('a failure is told with the first line of its error, a property with its seed', () => {
  const describe = (error?: string) => describeFailure({ group: 'unit', name: 'case', outcome: 'failed', error })
  expect(describe('\nAssertionError: 2 is not 3\n    at a.ts:1:1')).toBe('case: AssertionError: 2 is not 3')
  expect(describe('\u001b[31mred\u001b[39m')).toBe('case: red')
  expect(describe()).toBe('case')
  const property = 'Property failed after 8 tests\n{ seed: 7, path: "1:2", endOnFailure: true }\nCounterexample: []'
  expect(describe(property)).toBe('case: Property failed after 8 tests { seed: 7, path: "1:2", endOnFailure: true }')
})

test('a failed check is told with the first file that it names', () => {
  const output =
    'Checked\n\u001b[1mtools/a.ts\u001b[0m format ━━━━━━\n\n  × differs\nedge/b.ts:3:1 lint/suspicious ━━━\n'
  expect(findFault(output)).toBe('tools/a.ts format ━━━━━━')
  expect(findFault('\nnothing\n')).toBe('nothing')
})

test('what passed and what it put out is left out', () => {
  const output = [
    '·····',
    'stdout | fine.test.ts',
    '\u001b[31m⎯⎯⎯⎯⎯⎯⎯\u001b[39m\u001b[1m\u001b[41m Failed Tests 1 \u001b[49m\u001b[22m\u001b[31m⎯⎯⎯⎯⎯⎯⎯\u001b[39m',
    ' FAIL  bad.test.ts > case',
    ' Test Files  1 failed | 1 passed (2)',
  ]
  expect(failureBlocks(output.join('\n'))).toBe(
    '⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n FAIL  bad.test.ts > case\n Test Files  1 failed | 1 passed (2)',
  )
  expect(failureBlocks('a.ts:3:1 lint/suspicious\n')).toBe('a.ts:3:1 lint/suspicious')
})

test('the slowest files are listed with their time, each once', () => {
  const of = (file: string, fileMs?: number): Case[] =>
    ['a', 'b'].map((title) => ({
      group: 'unit',
      name: `${file} › ${title}`,
      outcome: 'passed',
      ...(fileMs && { fileMs }),
    }))
  expect(
    slowestFiles([...of('fast.ts', 900), ...of('none.ts'), ...of('slow.ts', 12_340), ...of('x.ts', 1)], 2),
  ).toEqual(['   12.3 s  unit slow.ts', '    0.9 s  unit fast.ts'])
})
