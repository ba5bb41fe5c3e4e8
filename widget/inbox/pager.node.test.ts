// Pages of the lists: what failed, and what is tried again.

import { expect, test } from 'vitest'
import type { InboxPage } from '../../contract/api.ts'
import { CallError } from '../lib/failure.ts'
import type { Call } from '../transport/api.ts'
import { createInboxStore } from './inbox-store.ts'
import { createPager } from './pager.ts'

const PAGE: InboxPage = { data: [], nextCursor: null, inbox: { epoch: 'e', seq: 1, unread: 0, unopened: 0 } }
const refusal = () =>
  new CallError({ status: 400, code: 'request/invalid-query', correlationId: null, retryAfterMs: undefined })

/** A service whose answers are given one by one. */
function given(mayTake = () => true) {
  const asked: { answer: (page: InboxPage) => void; refuse: (error: CallError) => void }[] = []
  const call = (() =>
    new Promise((answer, refuse) => asked.push({ answer: answer as (page: InboxPage) => void, refuse }))) as Call
  const store = createInboxStore()
  const told = { onChange: () => {}, onHead: () => {}, onFailure: () => {} }
  const pager = createPager({ ...told, call, store, mayTake, catchUp: async () => {} })
  return { pager, asked, store }
}

test('a list that failed stays failed while it is tried again by itself, and loads when somebody tries again', async () => {
  const { pager, asked, store } = given()
  const first = pager.load('archived', true)
  expect(pager.state('archived')).toMatchObject({ isLoading: true, failure: undefined })
  asked[0]?.refuse(refusal())
  await first
  expect(pager.state('archived').failure?.code).toBe('request/invalid-query')
  pager.retry()
  expect(asked).toHaveLength(2)
  expect(pager.state('archived').failure?.code).toBe('request/invalid-query')
  const again = pager.load('archived', true)
  expect(pager.state('archived')).toMatchObject({ isLoading: true, failure: undefined })
  asked[1]?.refuse(refusal())
  await expect.poll(() => asked.length).toBe(3)
  asked[2]?.answer(PAGE)
  await again
  await expect.poll(() => pager.state('archived')).toEqual({ isLoading: false, hasMore: false, failure: undefined })
  expect(store.list('archived')).toEqual([])
})

test('a list whose every page is of another time has failed, and loads when somebody tries again', async () => {
  let isCached = true
  const { pager, asked, store } = given(() => !isCached)
  const first = pager.load('all', true)
  for (let times = 0; times < 4; times++) {
    await expect.poll(() => asked.length).toBe(times + 1)
    asked[times]?.answer(PAGE)
  }
  await first
  expect(pager.state('all')).toMatchObject({ isLoading: false, failure: { status: 200, code: 'client/old-answer' } })
  expect(store.list('all')).toBeUndefined()
  isCached = false
  const again = pager.load('all', true)
  asked[4]?.answer(PAGE)
  await again
  expect([pager.state('all').failure, store.list('all')]).toEqual([undefined, []])
})
