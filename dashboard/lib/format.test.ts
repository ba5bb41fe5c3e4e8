// Tests the numbers, times and words of the dashboard that do not depend on the language of the browser.

import { expect, test } from 'vitest'
import { formatAge, formatBytes, formatMoment, formatPercent, formatSpan, toWords } from './format.ts'

test.each([
  [null, '–'],
  [0, '0.0 %'],
  [33.3, '33.3 %'],
  [100, '100.0 %'],
])('the percentage %j is %s', (percent, text) => expect(formatPercent(percent)).toBe(text))

test.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [1234, '1.2 s'],
  [90_000, '2 min'],
  [5_400_000, '1.5 h'],
  [172_800_000, '2.0 d'],
])('%d ms are %s', (ms, text) => expect(formatSpan(ms)).toBe(text))

test.each([
  [12, '12 B'],
  [4200, '4 kB'],
  [3_140_000, '3.1 MB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

test('an age is in the largest unit that fits', () => {
  const now = Date.parse('2026-11-25T12:00:00Z')
  const ages = ['2026-11-25T11:59:50Z', '2026-11-25T11:57:00Z', '2026-11-25T09:00:00Z', '2026-11-20T12:00:00Z']
  expect(ages.map((iso) => formatAge(iso, now))).toEqual(['now', '3 minutes ago', '3 hours ago', '5 days ago'])
})

test('a moment is an age within a week, and else a day', () => {
  const now = new Date(2026, 10, 25, 12).getTime()
  const moments = [new Date(2026, 10, 25, 11), new Date(2026, 10, 12, 12), new Date(2025, 10, 12, 12)]
  expect(moments.map((at) => formatMoment(at.toISOString(), now))).toEqual(['1 hour ago', 'Nov 12', 'Nov 12, 2025'])
})

test('yesterday is the day before, by the calendar of whoever reads', () => {
  const now = new Date(2026, 10, 25, 6).getTime()
  const hoursAgo = (hours: number) => formatAge(new Date(now - hours * 3_600_000).toISOString(), now)
  expect([20, 29, 31, 39].map(hoursAgo)).toEqual(['20 hours ago', 'yesterday', '2 days ago', '2 days ago'])
})

test('names of the API become words', () => expect(toWords('no-address')).toBe('No address'))
