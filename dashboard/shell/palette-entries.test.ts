// Tests what the palette finds without the server, by role and by prefix.

import { describe, expect, test } from 'vitest'
import type { ListedEnvironment } from '../../contract/resources/environment.ts'
import { includesRole, type Role } from '../../contract/role.ts'
import { findById, findPages, matches } from './palette-entries.ts'

const linksOf = (role: Role) => ({
  link: (page: string, id = '', query = {}) => [page, id, ...Object.entries(query).flat()].filter(Boolean).join(' '),
  may: (wanted: Role) => includesRole(role, wanted),
  environment: { id: 'env_1' } as ListedEnvironment,
})

test.each([
  ['Rotate a secret', 'rot sec', true],
  ['Rotate a secret', 'secret rotate', true],
  ['Rotate a secret', 'crate', false],
  ['Audit log', '', true],
])('%s for %j: %s', (label, text, isFound) => expect(matches(label, text)).toBe(isFound))

describe('pages and actions', () => {
  test('are found by the beginnings of their words', () => {
    expect(findPages(linksOf('owner'), 'deliv')).toMatchObject([
      { label: 'Delivery History', kind: 'Page', href: 'inbox' },
      { label: 'Export deliveries', kind: 'Action', href: 'inbox' },
    ])
    expect(findPages(linksOf('owner'), 'rotate')).toMatchObject([{ href: 'secrets env_1' }])
  })

  test('are those of the role', () => {
    expect(findPages(linksOf('viewer'), 'rotate')).toEqual([])
    expect(findPages(linksOf('viewer'), 'audit')).toEqual([])
    expect(findPages(linksOf('admin'), 'audit')).toHaveLength(1)
  })
})

test.each([
  ['msg_1', 'inbox messageId msg_1 message msg_1'],
  ['evt_1', 'event evt_1'],
  ['cmp_1', 'campaign cmp_1'],
  ['src_1', 'source src_1'],
])('the id %s leads to %s', (id, href) => {
  expect(findById(linksOf('viewer'), id)).toMatchObject([{ label: id, href }])
})

test('a prefix alone is no id', () => expect(findById(linksOf('viewer'), 'msg_')).toEqual([]))
