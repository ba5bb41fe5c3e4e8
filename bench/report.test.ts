// A run of one benchmark must leave the results of the others alone.

import { expect, test } from 'vitest'
import { HEAD, putSection } from './report.ts'

const one = { name: 'one', measures: 'the first' }
const two = { name: 'two', measures: 'the second' }
const found = (value: string) => ({ rows: [{ what: 'rate', value, aim: '≥ 2', isMet: false }], notes: ['A note.'] })

test('a section stands in its own place, and a new run replaces it alone', () => {
  const first = putSection('', one, 'a machine', found('1'))
  expect(first.startsWith(HEAD)).toBe(true)
  const both = putSection(first, two, 'a machine', found('2'))
  const again = putSection(both, one, 'another machine', found('3'))
  expect(again).toContain('## one: the first\n\nanother machine\n')
  expect(again).toContain('| rate | 3 | ≥ 2 | **missed** |')
  expect(again).not.toContain('| rate | 1 |')
  expect(again.slice(again.indexOf('<!-- two -->'))).toBe(both.slice(both.indexOf('<!-- two -->')))
  expect(again.indexOf('<!-- one -->')).toBeLessThan(again.indexOf('<!-- two -->'))
})
