// Tests how the address, the search field and the API's query of the delivery history correspond.

import { expect, test } from 'vitest'
import { chipsOf, parseFilters, searchOf, searchText, toQuery } from './filters.ts'

const read = (text: string) => parseFilters(new URLSearchParams(text))

test('the address has the filters of the API; what the API would refuse is ignored', () => {
  expect(read('env=env_1&status=failed&channel=inbox&userId=u_1&window=7d&message=msg_1')).toEqual({
    status: 'failed',
    channel: 'inbox',
    userId: 'u_1',
    window: '7d',
  })
  expect(read('status=lost&channel=fax&window=1y&engagement=loved&userId=')).toEqual({})
})

test('an empty branch is a filter: messages before any branch', () => {
  expect(read('branch=')).toEqual({ branch: '' })
  expect(chipsOf({ branch: '' }, String)).toEqual([{ name: 'branch', label: 'Branch', value: 'before any branch' }])
})

test('local times become instants; a broken one is left out', () => {
  const local = '2026-11-25T10:00'
  expect(toQuery({ from: local, to: 'soon', status: 'failed' })).toEqual({
    status: 'failed',
    from: new Date(local).toISOString(),
    to: undefined,
  })
})

test.each([
  [' msg_1 ', { messageId: 'msg_1' }],
  ['evt_1', { eventId: 'evt_1' }],
  ['0b7e-4', { correlationId: '0b7e-4' }],
  ['  ', {}],
])('the search %j means %j', (text, filters) => {
  expect(searchOf(text)).toEqual(filters)
  expect(searchText(filters)).toBe(text.trim())
})

test('chips have names for people', () => {
  const chips = chipsOf({ campaignId: 'cmp_1', window: '24h', from: '2026-11-25T10:00' }, () => 'Order shipped')
  expect(chips.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Campaign: Order shipped',
    'Time: last 24 hours',
    'From: 2026-11-25 10:00',
  ])
})
