// What a site meets that calls a deed while the service is out of reach: over a real connection that nobody takes.

import { expect, test } from 'vitest'
import type { InboxMessage } from '../../contract/api.ts'
import type { Failure } from '../lib/failure.ts'
import { createApi } from '../transport/api.ts'
import { createInboxStore } from './inbox-store.ts'
import { createMessageActions } from './message-actions.ts'

const HEAD = { epoch: 'e', seq: 2, unread: 1, unopened: 1 }

test('markAllRead() that finds no service is shown at once, put back, told once, and rejects with its code', async () => {
  const store = createInboxStore()
  const message = { id: 'm1', seq: 1, unopened: true, readAt: null, archivedAt: null, snoozedUntil: null }
  store.addPage('all', { data: [message as InboxMessage], nextCursor: null, inbox: HEAD }, true)
  const isDotted = () => store.list('all')?.[0]?.unopened
  const failures: Failure[] = []
  const actions = createMessageActions({
    // Port 1 listens nowhere.
    call: createApi('http://127.0.0.1:1'),
    store,
    now: () => 0,
    seq: () => 2,
    flush: async () => {},
    onChange() {},
    onSettled() {},
    onFailure: (failure) => failures.push(failure),
  })
  const marked = actions.markAllRead()
  expect(isDotted()).toBe(false)
  await expect(marked).rejects.toMatchObject({ status: 0, code: 'client/no-answer' })
  expect(isDotted()).toBe(true)
  expect(failures.map(({ code }) => code)).toEqual(['client/no-answer'])
})
