// Tests that spans and times are said in words.

import { expect, test } from 'vitest'
import { sayDay, saySpan, sayTime } from './say-time.ts'

test.each([
  [0, '0 seconds'],
  [400, '0 seconds'],
  [1000, '1 second'],
  [600_000, '10 minutes'],
  [5_400_000, '1 hour 30 minutes'],
  [90_061_000, '1 day 1 hour'],
])('%i ms: %s', (ms, words) => {
  expect(saySpan(ms)).toBe(words)
})

test('a time in the zone of the user, or in UTC', () => {
  const at = Date.UTC(2026, 10, 2, 23, 30)
  expect(sayDay(at, null)).toBe('2 November 2026')
  expect(sayDay(at, 'Europe/Vienna')).toBe('3 November 2026')
  expect(sayTime(at, 'Europe/Vienna')).toBe('3 November 2026 at 00:30 CET')
})
