// Tests that windows begin at a whole hour.

import { expect, test } from 'vitest'
import { sinceOf } from './window.ts'

const at = (iso: string) => Date.parse(iso)

test.each([
  ['24h', '2026-01-31T12:34:56.789Z', '2026-01-30T12:00:00.000Z'],
  ['24h', '2026-01-31T12:00:00.000Z', '2026-01-30T12:00:00.000Z'],
  ['7d', '2026-01-31T12:59:59.999Z', '2026-01-24T12:00:00.000Z'],
  ['30d', '2026-01-31T00:00:00.001Z', '2026-01-01T00:00:00.000Z'],
] as const)('%s before %s begins at %s', (window, now, since) => {
  expect(sinceOf(window, at(now))).toBe(at(since))
})

test('all time has no beginning', () => expect(sinceOf('all', 1)).toBeNull())
