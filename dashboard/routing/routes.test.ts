// Tests the addresses of the dashboard in both directions.

import { expect, test } from 'vitest'
import { appPath, isPublic, type PageName, parseNext, parseRoute, showsEnvironment } from './routes.ts'

test.each([
  ['/sign-in', { page: 'sign-in' }],
  ['/dashboard/continue-sign-in', { page: 'continue-sign-in' }],
  ['/dashboard', { page: 'first' }],
  ['/dashboard/', { page: 'first' }],
  ['/dashboard/accept-invitation', { page: 'accept-invitation' }],
  ['/dashboard/reset-password', { page: 'reset-password' }],
  ['/dashboard/set-up', { page: 'set-up' }],
  ['/dashboard/onboarding', { page: 'onboarding' }],
  ['/dashboard/new-organisation', { page: 'new-organisation' }],
  ['/org/org_1/app/first-steps', { page: 'first-steps', org: 'org_1' }],
  ['/org/org_1', { page: 'first', org: 'org_1' }],
  ['/org/org_1/app/', { page: 'first', org: 'org_1' }],
  ['/org/org_1/app/inbox', { page: 'inbox', org: 'org_1' }],
  ['/org/org_1/app/inbox/', { page: 'inbox', org: 'org_1' }],
  ['/org/org_1/app/campaigns/new', { page: 'new-campaign', org: 'org_1' }],
  ['/org/org_1/app/campaigns/cmp_1', { page: 'campaign', org: 'org_1', id: 'cmp_1' }],
  ['/org/org_1/app/campaigns/cmp_1/edit', { page: 'campaign-editor', org: 'org_1', id: 'cmp_1' }],
  ['/org/org_1/app/users/a%2Fb', { page: 'user', org: 'org_1', id: 'a/b' }],
  ['/org/org_1/app/users/%ff', { page: 'not-found' }],
  ['/org/org_1/app/environments/env_1', { page: 'environment', org: 'org_1', id: 'env_1' }],
  ['/org/org_1/app/environments/env_1/secrets', { page: 'secrets', org: 'org_1', id: 'env_1' }],
  ['/org/org_1/app/notification-configs/cfg_1', { page: 'config', org: 'org_1', id: 'cfg_1' }],
  ['/org/org_1/app/sources/src_1', { page: 'source', org: 'org_1', id: 'src_1' }],
  ['/org/org_1/app/nothing', { page: 'not-found', org: 'org_1' }],
  ['/org/org_1/other', { page: 'not-found' }],
  ['/dashboard/nothing', { page: 'not-found' }],
])('%s is %j', (path, route) => expect(parseRoute(path)).toEqual(route))

test('a path that is built is read as the same page, also with an id that has a slash', () => {
  const withId: PageName[] = ['campaign', 'event', 'user', 'environment', 'secrets', 'config', 'enricher', 'source']
  withId.push('translation', 'snippet')
  const lists: PageName[] = ['inbox', 'campaigns', 'events', 'users', 'environments', 'configs', 'members', 'account']
  lists.push('given-up', 'doubts', 'suppressions', 'enrichers', 'texts', 'sources', 'audit-log', 'settings')
  for (const page of [...lists, ...withId]) {
    const hasId = withId.includes(page)
    const path = appPath('org_1', page, hasId ? 'a/b ?c' : '')
    expect(parseRoute(path)).toEqual({ page, org: 'org_1', ...(hasId && { id: 'a/b ?c' }) })
  }
})

test('pages of the session are public, pages of an environment are not', () => {
  expect(isPublic(parseRoute('/sign-in'))).toBe(true)
  expect(isPublic(parseRoute('/org/o/app/inbox'))).toBe(false)
  expect(showsEnvironment(parseRoute('/org/o/app/members'))).toBe(false)
  expect(showsEnvironment(parseRoute('/org/o/app/users/u'))).toBe(true)
})

test.each([
  ['/org/o/app/inbox?status=failed', '/org/o/app/inbox?status=failed'],
  ['/dashboard', '/dashboard'],
  ['/dashboard/continue-sign-in', '/dashboard/continue-sign-in'],
  ['/dashboard/set-up', undefined],
  ['//evil.example/org/', undefined],
  ['/\\evil.example', undefined],
  ['/org/\\evil', undefined],
  ['https://evil.example/org/', undefined],
  ['/orders', undefined],
  [null, undefined],
])('after the sign-in, %j leads to %j', (next, path) => expect(parseNext(next)).toBe(path))

test('below a path, addresses are those of the path alone', () => {
  expect(parseRoute('/notify/org/o/app/inbox', '/notify')).toEqual({ page: 'inbox', org: 'o' })
  expect(parseRoute('/notify/dashboard', '/notify')).toEqual({ page: 'first' })
  for (const path of ['/dashboard', '/notifyx/dashboard', '/notify', '/x/notify/dashboard'])
    expect(parseRoute(path, '/notify')).toEqual({ page: 'not-found' })
  expect(parseNext('/notify/org/o/app/inbox', '/notify')).toBe('/notify/org/o/app/inbox')
  for (const next of ['/org/o/app/inbox', '/notify//evil.example/org/', '//notify/dashboard'])
    expect(parseNext(next, '/notify')).toBeUndefined()
})
