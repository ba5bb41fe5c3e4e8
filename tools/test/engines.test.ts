// Tests that a case that runs on one engine alone is reported.

import { expect, test } from 'vitest'
import { casesOf, findLeftOut } from './engines.ts'

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: 'passed',
  assertionResults: statuses.map((status, at) => ({ fullName: `case ${at}`, status })),
})

test('a case counts when it ran, under its file', () => {
  const report = { testResults: [file('/checkout/edge/test/a.test.ts', 'passed', 'failed', 'pending', 'todo')] }
  expect(casesOf(report, '/checkout')).toEqual(['edge/test/a.test.ts › case 0', 'edge/test/a.test.ts › case 1'])
})

test('a case that one engine did not run is named', () => {
  const left = 'edge/test/a.test.ts › one'
  const right = 'edge/test/a.test.ts › two'
  expect(findLeftOut({ sqlite: [left], postgres: [left] })).toEqual([])
  expect(findLeftOut({ sqlite: [left], postgres: [right] })).toEqual([
    `not run on postgres: ${left}`,
    `not run on sqlite: ${right}`,
  ])
})

test('a file that names its engine runs on that alone', () => {
  const sqlite = ['edge/test/disk.sqlite.test.ts › full']
  const postgres = ['edge/test/gone.postgres.test.ts › gone']
  expect(findLeftOut({ sqlite, postgres })).toEqual([])
})
