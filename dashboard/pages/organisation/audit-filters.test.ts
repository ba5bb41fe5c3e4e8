// Tests how the audit log is read: filters of the address, names of actions, and lines of a difference.

import { expect, test } from 'vitest'
import { actionName, fieldName, parseAuditFilters, parseDifference } from './audit-filters.ts'

test('filters come from the address; others of it, and empty ones, do not count', () => {
  const filters = parseAuditFilters(new URLSearchParams('env=env_1&actor=cli&action=&from=2026-01-31T12:00'))
  expect(filters).toEqual({ actor: 'cli', from: new Date('2026-01-31T12:00').toISOString() })
  expect(parseAuditFilters(new URLSearchParams('from=yesterday'))).toEqual({})
})

test.each([
  ['secret.rotate', 'Secret: rotate'],
  ['org.set-single-sign-on', 'Organisation: set single sign on'],
  ['unknown', 'Unknown'],
])('%s is %s', (action, name) => expect(actionName(action)).toBe(name))

test('fields of a detail have words', () => expect(fieldName('cacheSeconds')).toBe('Cache seconds'))

test('a difference has a change for each line', () => {
  expect(parseDifference('~ retentionDays: 90 → 30\n+ u_1\n').map(({ path }) => path)).toEqual(['retentionDays', 'u_1'])
  expect(parseDifference('')).toEqual([])
})
