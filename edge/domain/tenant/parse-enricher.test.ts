// Tests the parsing of enrichers: every fault has its path, and defaults are the documented ones.

import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { parseEnricher } from './parse-enricher.ts'

function faultsOf(name: string, input: unknown): string[] {
  try {
    parseEnricher(name, input)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.code).toBe('request/invalid-body')
    return (error.extra.details ?? []).map(({ path }) => path)
  }
}

test('an address without settings has a timeout of five seconds and no cache', () => {
  const url = 'https://example.com/enrich?tenant=7'
  expect(parseEnricher('order-details', { url })).toEqual({ url, timeoutMs: 5000, cacheSeconds: 0 })
  expect(parseEnricher('a.b_c-1', { url, timeoutMs: 100, cacheSeconds: 86_400, extra: 1 })).toEqual({
    url,
    timeoutMs: 100,
    cacheSeconds: 86_400,
  })
})

test.each([
  ['', 'url'],
  ['example.com/enrich', 'url'],
  ['ftp://example.com/', 'url'],
  ['javascript:alert(1)', 'url'],
  ['https://user:pass@example.com/', 'url'],
  ['https://example.com/#x', 'url'],
  ['https://example.com/?name=other', 'url'],
  [' https://example.com/', 'url'],
  ['https://exa\nmple.com/', 'url'],
  [`https://example.com/${'x'.repeat(2048)}`, 'url'],
  [7, 'url'],
])('%j is no address of an enricher', (url, path) => {
  expect(faultsOf('a', { url })).toEqual([path])
})

test('all faults are reported at once, each with its path', () => {
  expect(faultsOf('a b', { timeoutMs: 99, cacheSeconds: 0.5 })).toEqual(['name', 'url', 'timeoutMs', 'cacheSeconds'])
  expect(faultsOf('x'.repeat(101), { url: 'https://a.b', timeoutMs: '5000', cacheSeconds: -1 })).toEqual([
    'name',
    'timeoutMs',
    'cacheSeconds',
  ])
  expect(() => parseEnricher('a', [])).toThrow(ApiError)
})
