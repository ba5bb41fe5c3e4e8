// Tests that a list grows by its pages, and that a failed page keeps the rows and is drawn.

import type { ReactiveControllerHost } from 'lit'
import { expect, test, vi } from 'vitest'
import { ListLoader } from './list-loader.ts'

test('a page that fails keeps the rows and is reported; the next attempt adds it', async () => {
  let isDown = false
  const requestUpdate = vi.fn()
  const host: ReactiveControllerHost = {
    addController() {},
    removeController() {},
    requestUpdate,
    updateComplete: Promise.resolve(true),
  }
  const list = new ListLoader<number>(host, async (cursor) => {
    if (isDown) throw new Error('down')
    return cursor === undefined ? { data: [1, 2], nextCursor: 'b' } : { data: [3], nextCursor: null }
  })
  list.reload()
  await vi.waitFor(() => expect(list.value).toEqual({ rows: [1, 2], cursor: 'b' }))

  isDown = true
  requestUpdate.mockClear()
  list.loadMore()
  await vi.waitFor(() => expect(list.error).toEqual(new Error('down')))
  expect({ state: list.state, rows: list.value?.rows }).toEqual({ state: 'ready', rows: [1, 2] })
  expect(requestUpdate).toHaveBeenCalled()

  isDown = false
  list.loadMore()
  await vi.waitFor(() => expect(list.value).toEqual({ rows: [1, 2, 3], cursor: undefined }))
  expect(list.error).toBeUndefined()
})
