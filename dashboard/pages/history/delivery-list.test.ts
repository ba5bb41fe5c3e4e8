// Tests that pages and polls of the delivery history keep one list without gaps and without repeated records.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import { type DeliveryList, emptyList, firstPage, withNewest, withNextPage } from './delivery-list.ts'

const record = (id: number, status = 'delivered') =>
  ({ messageId: `msg_${id}`, status, engagement: 'none' }) as DeliveryRecordAnswer
/** A page of the records `newest`, `newest - 1` … */
const page = (newest: number, count: number) => ({
  data: Array.from({ length: Math.min(count, newest) }, (_, at) => record(newest - at)),
  nextCursor: newest > count ? `before ${newest - count + 1}` : null,
})
const idsOf = ({ records }: DeliveryList) => records.map(({ messageId }) => Number(messageId.slice(4)))

test('the next page follows the last record', () => {
  const list = withNextPage(firstPage(page(5, 3)), page(2, 3))
  expect(idsOf(list)).toEqual([5, 4, 3, 2, 1])
  expect(list).toMatchObject({ hasMore: false, cursor: undefined })
})

test('new records come first for a reader at the top, and wait for a reader further down', () => {
  const list = firstPage(page(5, 3))
  expect(idsOf(withNewest(list, page(7, 3), true))).toEqual([7, 6, 5, 4, 3])
  const below = withNewest(list, page(7, 3), false)
  expect(idsOf(below)).toEqual([5, 4, 3])
  expect(below.waiting).toBe(2)
})

test('after a gap the list begins anew at the top, and stays further down', () => {
  const list = firstPage(page(5, 3))
  expect(idsOf(withNewest(list, page(20, 3), true))).toEqual([20, 19, 18])
  expect(withNewest(list, page(20, 3), false)).toMatchObject({ records: list.records, waiting: 3 })
})

test('a newest page without a match keeps the older records', () => {
  const list = firstPage(page(5, 3))
  expect(withNewest(list, { data: [], nextCursor: 'before 900' }, true)).toBe(list)
})

test('a record that has changed is replaced where it stands; without a change the list is the same', () => {
  const list = firstPage(page(3, 3))
  expect(withNewest(list, page(3, 3), true)).toBe(list)
  const changed = { data: [record(3), record(2, 'failed'), record(1)], nextCursor: null }
  expect(withNewest(list, changed, false).records[1]?.status).toBe('failed')
})

test('the first records of an empty list are shown', () => {
  expect(idsOf(withNewest(emptyList(), page(2, 3), true))).toEqual([2, 1])
})

test('whatever comes in which order, the list has no gap and nothing twice', () => {
  const step = fc.record({ arrived: fc.nat(6), isAtTop: fc.boolean(), loadsMore: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let stored = 8
      let list = firstPage(page(stored, 4))
      for (const { arrived, isAtTop, loadsMore } of steps) {
        stored += arrived
        list = withNewest(list, page(stored, 4), isAtTop)
        const last = idsOf(list).at(-1) ?? 1
        if (loadsMore && list.hasMore) list = withNextPage(list, page(last - 1, 4))
        const ids = idsOf(list)
        for (const [at, id] of ids.entries()) if (at > 0) expect(id).toBe((ids[at - 1] ?? 0) - 1)
      }
    }),
  )
})
