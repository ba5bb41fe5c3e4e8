// Tests how the audit log is read: filters of the address, names of actions, and lines of a difference.

import { expect, test } from 'vitest'
import { actionName, parseAuditFilters, parseDifference, toAuditQuery } from './audit-filters.ts'

test('filters come from the address; others of it, and empty ones, do not count', () => {
  const filters = parseAuditFilters(new URLSearchParams('env=env_1&actor=cli&action=&from=2026-01-31T12:00'))
  expect(filters).toEqual({ actor: 'cli', from: '2026-01-31T12:00' })
  expect(toAuditQuery(filters)).toMatchObject({ actor: 'cli', from: new Date('2026-01-31T12:00').toISOString() })
  expect(toAuditQuery({ from: 'yesterday' })).toEqual({ from: undefined, to: undefined })
})

test.each([
  ['secret.rotate', 'Secret: rotate'],
  ['org.set-single-sign-on', 'Org: set single sign on'],
  ['unknown', 'Unknown'],
])('%s is %s', (action, name) => expect(actionName(action)).toBe(name))

test('a difference has a line for each value before and after', () => {
  const text = '~ retentionDays: 90 → 30\n+ contactEmail: "a: b@example.com"\n- categories[0].name: "News"\n+ u_1'
  expect(parseDifference(text)).toEqual([
    { kind: 'changed', path: 'retentionDays', before: '90', after: '30' },
    { kind: 'added', path: 'contactEmail', before: undefined, after: '"a: b@example.com"' },
    { kind: 'removed', path: 'categories[0].name', before: '"News"', after: undefined },
    { kind: 'added', path: 'u_1', before: undefined, after: '' },
  ])
  expect(parseDifference('')).toEqual([])
  expect(parseDifference('… and 3 more')).toMatchObject([{ kind: 'added', path: '… and 3 more' }])
})
