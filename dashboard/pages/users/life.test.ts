// Tests the stream of a user: the order of its moments, and that it has no gap where one list has more.

import { expect, test } from 'vitest'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { momentsOf, withNewest } from './life.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 30, 0, 0, second)).toISOString()
const event = (second: number) => ({ eventId: `evt_${second}`, receivedAt: at(second) }) as TrackedEventAnswer
const delivery = (second: number, readSecond?: number) =>
  ({
    ...{ messageId: `msg_${second}`, createdAt: at(second), openedAt: null, clickedAt: null },
    readAt: readSecond === undefined ? null : at(readSecond),
  }) as DeliveryRecordAnswer

test('events, messages and what was done with them are in one order, newest first, effects above causes', () => {
  const moments = momentsOf({
    events: { rows: [event(5), event(1)], cursor: undefined },
    deliveries: { rows: [delivery(5), delivery(1, 9)], cursor: undefined },
  })
  expect(moments.map(({ key }) => key)).toEqual(['msg_1 read', 'msg_5', 'evt_5', 'msg_1', 'evt_1'])
})

test('the stream ends where one of the lists may have more', () => {
  const keys = (events?: string, deliveries?: string) =>
    momentsOf({
      events: { rows: [event(9), event(7)], cursor: events },
      deliveries: { rows: [delivery(8), delivery(2)], cursor: deliveries },
    }).map(({ key }) => key)
  expect(keys('more')).toEqual(['evt_9', 'msg_8', 'evt_7'])
  expect(keys(undefined, 'more')).toEqual(['evt_9', 'msg_8', 'evt_7', 'msg_2'])
  expect(keys()).toEqual(['evt_9', 'msg_8', 'evt_7', 'msg_2'])
})

test('a newer page adds what is new, and replaces what has changed', () => {
  const before = { rows: [delivery(3), delivery(1)], cursor: 'more' }
  const newest = { rows: [delivery(4), delivery(3, 5)], cursor: 'newer' }
  const rows = withNewest(before, newest, ({ messageId }) => messageId)
  expect(rows).toEqual({ rows: [delivery(4), delivery(3, 5), delivery(1)], cursor: 'more' })
})

test('a newer page without a known row stands alone, unless it has all', () => {
  const before = { rows: [delivery(3), delivery(1)], cursor: 'more' }
  const idOf = ({ messageId }: DeliveryRecordAnswer) => messageId
  const newest = { rows: [delivery(9), delivery(8)], cursor: 'newer' }
  expect(withNewest(before, newest, idOf)).toEqual(newest)
  const all = { rows: [delivery(9)], cursor: undefined }
  expect(withNewest({ rows: [], cursor: undefined }, all, idOf)).toEqual(all)
})

test('a page without rows that is not the last hides what may come below its rows', () => {
  const events = { rows: [event(9)], cursor: undefined }
  expect(momentsOf({ events, deliveries: { rows: [], cursor: 'more' } })).toEqual([])
})
