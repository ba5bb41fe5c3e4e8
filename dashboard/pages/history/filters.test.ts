// Tests how the address, the search field and the API's query of the delivery history correspond.

import { expect, test } from 'vitest'
import { formatZoned } from '../../lib/format.ts'
import { toInstant, toLocal } from '../../lib/instant.ts'
import { chipsOf, parseFilters, searchOf, searchText } from './filters.ts'

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

test('a reason of an address that nobody knows is shown as it is', () => {
  for (const statusReason of ['constructor', 'toString'])
    expect(chipsOf({ statusReason }, String)[0]?.value.toLowerCase()).toBe(statusReason.toLowerCase())
})

test('the plus of an offset in a link by hand is a plus, and a space before a local time is none', () => {
  expect(read('from=2026-11-25T10:00:00+02:00')).toEqual({ from: '2026-11-25T08:00:00.000Z' })
  expect(read('from=2026-11-25T10:00+0200')).toEqual({ from: '2026-11-25T08:00:00.000Z' })
  expect(read('from=2026-11-25+10:00').from).toBe(toInstant('2026-11-25T10:00'))
})

test('a link has an instant; local times of former links become one, and what is no time is ignored', () => {
  const instant = '2026-11-25T09:00:00.000Z'
  expect(read(`from=${instant}&to=2026-11-25T10:00:00%2B02:00`)).toEqual({
    from: instant,
    to: '2026-11-25T08:00:00.000Z',
  })
  expect(read('from=2026-11-25T10:00&to=soon')).toEqual({ from: new Date('2026-11-25T10:00').toISOString() })
})

test('a field has the local time of an instant, and gives it back', () => {
  for (const local of ['2026-11-25T10:00', '2026-03-29T03:30', '2026-01-02T00:05:09'])
    expect(toLocal(toInstant(local) ?? '')).toBe(local)
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
  const chips = chipsOf({ campaignId: 'cmp_1', window: '24h', from: '2026-11-25T10:00:00.000Z' }, () => 'Order shipped')
  expect(chips.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Campaign: Order shipped',
    'Time: last 24 hours',
    `From: ${formatZoned('2026-11-25T10:00:00.000Z')}`,
  ])
})
