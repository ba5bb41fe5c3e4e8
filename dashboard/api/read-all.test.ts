// Tests that a list is read to its end.

import { expect, test } from 'vitest'
import type { Page } from '../../contract/api.ts'
import type { Query } from './addresses.ts'
import { readAll } from './read-all.ts'

interface Listed extends Page<number> {
  sendsMail: boolean
}

test('all pages are read, and the other fields are those of the last one', async () => {
  const pages: Record<string, Listed> = {
    'list?limit=2': { data: [1, 2], nextCursor: 'second', sendsMail: false },
    'list?limit=2&cursor=second': { data: [], nextCursor: 'third', sendsMail: false },
    'list?limit=2&cursor=third': { data: [3], nextCursor: null, sendsMail: true },
  }
  const get = async <T>(path: string, { limit, cursor }: Query = {}): Promise<T> => {
    const address = `${path}?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`
    const page = pages[address]
    if (page === undefined) throw new Error(`There is no page ${address}.`)
    return page as T
  }
  const all = await readAll<Listed>({ get }, 'list', { limit: 2 })
  expect(all).toEqual({ data: [1, 2, 3], nextCursor: null, sendsMail: true })
})
