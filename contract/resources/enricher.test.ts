// Tests the settings of enrichers: each fault has its path, and defaults are the documented ones.

import { expect, test } from 'vitest'
import { enricherName, enricherSettings } from './enricher.ts'

const faultsOf = (input: unknown): PropertyKey[][] =>
  enricherSettings.safeParse(input).error?.issues.map(({ path }) => path) ?? []

test('an address without settings has a timeout of five seconds and no cache', () => {
  const url = 'https://example.com/enrich?tenant=7'
  expect(enricherSettings.parse({ url })).toEqual({ url, timeoutMs: 5000, cacheSeconds: 0 })
  expect(enricherSettings.parse({ url, timeoutMs: 100, cacheSeconds: 86_400, extra: 1 })).toEqual({
    url,
    timeoutMs: 100,
    cacheSeconds: 86_400,
  })
})

test.each([
  [''],
  ['example.com/enrich'],
  ['ftp://example.com/'],
  ['javascript:alert(1)'],
  ['https://user:pass@example.com/'],
  ['https://example.com/#x'],
  ['https://example.com/?name=other'],
  [' https://example.com/'],
  ['https://exa\nmple.com/'],
  [`https://example.com/${'x'.repeat(2048)}`],
  [7],
])('%j is no address of an enricher', (url) => {
  expect(faultsOf({ url })).toEqual([['url']])
})

test('all faults are reported at once, each with its path', () => {
  expect(faultsOf({ timeoutMs: 99, cacheSeconds: 0.5 })).toEqual([['url'], ['timeoutMs'], ['cacheSeconds']])
  expect(faultsOf({ url: 'https://a.b', timeoutMs: '5000', cacheSeconds: -1 })).toEqual([
    ['timeoutMs'],
    ['cacheSeconds'],
  ])
  expect(faultsOf([])).toEqual([[]])
})

test.each(['a b', '', '-a', 'x'.repeat(101)])('%j is no name', (name) => {
  expect(enricherName.safeParse(name).error?.issues).toHaveLength(1)
})
