// Tests the parser of times: its forms, and what is no time. Local times: `domain/sending/wall-clock.test.ts`.

import { expect, test } from 'vitest'
import { findInstant } from './instant.ts'

const NOON = Date.parse('2026-01-31T12:00:00.000Z')

test.each<[unknown, number]>([
  ['2026-01-31T12:00:00.000Z', NOON],
  ['2026-01-31T12:00:00Z', NOON],
  ['2026-01-31t12:00z', NOON],
  ['2026-01-31 12:00:00+00:00', NOON],
  ['2026-01-31 12:00:00 +0000', NOON],
  ['2026-01-31T14:00:00+0200', NOON],
  ['2026-01-31T14:00:00+02:00', NOON],
  ['2026-01-31T14:00+02', NOON],
  ['2026-01-31T08:30-0330', NOON],
  ['2026-01-31T12:00:00,5Z', NOON + 500],
  ['2026-01-31T12:00:00.123456789Z', NOON + 123],
  ['2026-01-31T24:00Z', NOON + 12 * 3_600_000],
  [NOON / 1000, NOON],
  [NOON / 1000 + 0.25, NOON + 250],
  [NOON, NOON],
  [0, 0],
  [-1, -1000],
  [99_999_999_999, 99_999_999_999_000],
  [100_000_000_000, 100_000_000_000],
])('%j', (value, at) => {
  expect(findInstant(value)).toBe(at)
})

test.each([
  ...['', 'yesterday', '2026-01-31', '2026-01-31T12:00:00', '2026-02-30T12:00Z', '2026-13-01T12:00Z', '1767225600'],
  ...['2026-01-31T25:00Z', '2026-01-31T12:60Z', '2026-01-31T12:00+24:00', '2026-01-31T12:00+02:60', '2026-01-31T12Z'],
  ...['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', ' 2026-01-31T12:00Z', '2026-01-31T12:00Z\n'],
  ...[Number.NaN, Number.POSITIVE_INFINITY, 1e15, -1e12 * 63, null, undefined, true, {}, [NOON]],
])('%j is no time', (value) => {
  expect(findInstant(value)).toBeUndefined()
})
