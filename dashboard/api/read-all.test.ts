// Tests that a list is read to its end.

import { expect, test } from 'vitest'
import { readAll } from './read-all.ts'

test('all pages are read, and the other fields are those of the last one', async () => {
  const pages = new Map([
    [undefined, { data: [1, 2], nextCursor: 'second', sendsMail: false }],
    ['second', { data: [], nextCursor: 'third', sendsMail: false }],
    ['third', { data: [3], nextCursor: null, sendsMail: true }],
  ])
  const all = await readAll(async (cursor) => {
    const page = pages.get(cursor)
    if (page === undefined) throw new Error(`There is no page ${cursor}.`)
    return page
  })
  expect(all).toEqual({ data: [1, 2, 3], nextCursor: null, sendsMail: true })
})
