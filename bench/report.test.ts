// Tests that a run of one benchmark keeps the results of the others.

import { expect, test } from 'vitest'
import { HEAD, putSection } from './report.ts'

const one = { name: 'one', measures: 'the first' }
const two = { name: 'two', measures: 'the second' }
const found = (value: string) => ({ rows: [{ what: 'rate', value, aim: '≥ 2', isMet: false }], notes: ['A note.'] })

test('a section stands in its own place, and a new run replaces it alone', () => {
  const first = putSection('', one, 'quick', 'a machine', found('1'))
  expect(first.startsWith(HEAD)).toBe(true)
  const both = putSection(first, two, 'quick', 'a machine', found('2'))
  const again = putSection(both, one, 'quick', 'another machine', found('3'))
  expect(again).toContain('## one, quick: the first\n\nanother machine\n')
  expect(again).toContain('| rate | 3 | ≥ 2 | **missed** |')
  expect(again).not.toContain('| rate | 1 |')
  expect(again.slice(again.indexOf('<!-- two quick -->'))).toBe(both.slice(both.indexOf('<!-- two quick -->')))
  expect(again.indexOf('<!-- one quick -->')).toBeLessThan(again.indexOf('<!-- two quick -->'))
})

test('the two profiles of a benchmark stand beside each other', () => {
  const quick = putSection('', one, 'quick', 'a machine', found('1'))
  const both = putSection(quick, one, 'full', 'a machine', found('2'))
  expect(both).toContain('| rate | 1 |')
  expect(both).toContain('| rate | 2 |')
})
