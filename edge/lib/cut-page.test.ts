// Tests the pages of bounded lists: limits, bytes, cursors, and items that are removed between two pages.

import { expect, test } from 'vitest'
import { cutPage, type PageQuery } from './cut-page.ts'

interface Item {
  id: number
  text?: string
}
const NAME = { list: 'items', of: 7 }
const cut = (items: Item[], query: PageQuery) => cutPage(NAME, items, query, ({ id }) => id)
const idsOf = ({ data }: { data: Item[] }) => data.map(({ id }) => id)
const FIVE = [5, 4, 3, 2, 1].map((id) => ({ id }))

test('without a limit a page has all', () => {
  expect(cut(FIVE, {})).toEqual({ data: FIVE, nextCursor: null })
  expect(cut([], {})).toEqual({ data: [], nextCursor: null })
})

test('pages follow one another, also when the last item was removed, and the last one has no cursor', () => {
  const first = cut(FIVE, { limit: 2 })
  const cursor = first.nextCursor ?? ''
  const second = cut(FIVE, { limit: 2, cursor })
  const third = cut(FIVE, { limit: 2, cursor: second.nextCursor ?? '' })
  expect([idsOf(first), idsOf(second), idsOf(third), third.nextCursor]).toEqual([[5, 4], [3, 2], [1], null])
  const without = FIVE.filter(({ id }) => id !== 4)
  expect(idsOf(cut(without, { limit: 2, cursor }))).toEqual([3, 2])
})

test('without numbers of its own an item is known by its distance to the end, so that a new first item repeats none', () => {
  const { data, nextCursor } = cutPage(NAME, ['c', 'b', 'a'], { limit: 1 })
  expect(data).toEqual(['c'])
  expect(cutPage(NAME, ['d', 'c', 'b', 'a'], { cursor: nextCursor ?? '' })).toEqual({
    data: ['b', 'a'],
    nextCursor: null,
  })
})

test('a page of large items ends early, and has one at least', () => {
  const large = [3, 2, 1].map((id) => ({ id, text: 'x'.repeat(2 ** 20) }))
  const first = cut(large, { limit: 100 })
  expect(idsOf(first)).toEqual([3])
  expect(idsOf(cut(large, { cursor: first.nextCursor ?? '' }))).toEqual([2])
})

test('the cursor of another list is refused', () => {
  const { nextCursor } = cutPage({ list: 'others', of: 7 }, FIVE, { limit: 1 }, ({ id }) => id)
  expect(() => cut(FIVE, { cursor: nextCursor ?? '' })).toThrow()
})
