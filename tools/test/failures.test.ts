// Tests that the report of a failed phase contains only its failures.

import { expect, test } from 'vitest'
import { failureBlocks, listFailures } from './failures.ts'

test('ten failures are named, without the path of the checkout, the rest is counted', () => {
  const failures = Array.from({ length: 12 }, (_, at) => `/checkout/a.test.ts › case ${at}: Error: no`)
  const lines = listFailures(failures, '/checkout')
  expect(lines).toHaveLength(11)
  expect(lines[0]).toBe('     ✗ a.test.ts › case 0: Error: no')
  expect(lines[10]).toBe('     and 2 more')
  expect(listFailures([], '/checkout')).toEqual([])
})

test('what passed and what it put out is left out', () => {
  const output = [
    ' \u001b[32m✓\u001b[39m fine.test.ts (3 tests) 3ms',
    'stdout | fine.test.ts',
    '\u001b[31m⎯⎯⎯⎯⎯⎯⎯\u001b[39m\u001b[1m\u001b[41m Failed Tests 1 \u001b[49m\u001b[22m\u001b[31m⎯⎯⎯⎯⎯⎯⎯\u001b[39m',
    ' FAIL  bad.test.ts > case',
    ' Test Files  1 failed | 1 passed (2)',
  ]
  expect(failureBlocks(output.join('\n'))).toBe(output.slice(2).join('\n'))
})

test('a phase that was ended is told by what it put out beside what passed', () => {
  expect(failureBlocks('RUN v4\n ✓ fine.test.ts (3 tests) 3ms\n ❯ bad.test.ts\n')).toBe('RUN v4\n ❯ bad.test.ts')
  expect(failureBlocks('a.ts:3:1 lint/suspicious\n')).toBe('a.ts:3:1 lint/suspicious')
})
