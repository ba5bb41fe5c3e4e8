// Tests the parsing of ISO 8601 durations to milliseconds.

import { expect, test } from 'vitest'
import { findDurationMs } from './duration.ts'

test.each([
  ['PT10M', 600_000],
  ['P30D', 2_592_000_000],
  ['PT24H', 86_400_000],
  ['P1W', 604_800_000],
  ['P1DT2H3M4S', 93_784_000],
  ['PT0.5S', 500],
  ['PT1,25S', 1250],
  ['P1Y', 31_536_000_000],
  ['P1M', 2_592_000_000],
  ['PT0S', 0],
  ['PT1.5H', 5_400_000],
  ['P0,5D', 43_200_000],
  ['P1DT1.5M', 86_490_000],
  ['PT0.123456789S', 123],
  ['PT1.9999S', 2000],
  ['PT0.0001S', 0],
])('%s is %d ms', (text, durationMs) => {
  expect(findDurationMs(text)).toBe(durationMs)
})

test.each([
  '',
  'P',
  'PT',
  'P1DT',
  '10m',
  'PT-1M',
  '-PT1M',
  'pt1m',
  'PT1',
  'P1H',
  'PT1D',
  ' PT1M',
  'PT1M ',
  'PT1.5H30M',
  'P0.5DT1H',
  'PT.5S',
  'PT1.S',
  'PT1.5.5S',
  'PT1.0123456789S',
  'P1234567890D',
  'PT1M\n',
])('%j is no duration', (text) => {
  expect(findDurationMs(text)).toBeUndefined()
})
