// The queue of delivery events: none lost, in order, once.

import { expect, test } from 'vitest'
import type { RegisterAnswer, RegisterItem } from '../../../contract/api.ts'
import { CallError } from '../../lib/failure.ts'
import type { InboxStorage } from '../storage.ts'
import { createReceipts } from './receipts.ts'

/** Outlives the queue, as IndexedDB outlives the page. */
function memoryStorage(): InboxStorage {
  const kept = new Map<string, unknown>()
  return {
    get: async <T>(key: string) => structuredClone(kept.get(key)) as T | undefined,
    update: async <T>(key: string, change: (old: T | undefined) => T | undefined) =>
      void kept.set(key, structuredClone(change(structuredClone(kept.get(key)) as T | undefined))),
    del: async (key) => void kept.delete(key),
    keys: async () => [...kept.keys()],
  }
}
const HEAD = { epoch: 'e', seq: 1, unread: 0, unopened: 0 }
const answer = (events: RegisterItem[]): RegisterAnswer => ({
  inbox: HEAD,
  results: events.map(({ messageId, eventType }) => ({ messageId, eventType, recorded: true })),
})
const outage = () => new CallError({ status: 0, code: 'client/no-answer', correlationId: null, retryAfterMs: 1e9 })

function given(storage = memoryStorage()) {
  const sent: string[][] = []
  const kept: RegisterItem[] = []
  const queued: string[][] = []
  const again = new Set<string>()
  let failure: CallError | undefined
  const receipts = createReceipts({
    storage,
    key: 'receipts|k|u',
    locks: { request: (_name, _how, act) => act() },
    now: () => 0,
    isAgain: ({ messageId }) => again.has(messageId),
    onQueued: (items) => queued.push(items.map(({ messageId }) => messageId)),
    onStored: (items) => kept.push(...items),
    onSettled: () => {},
    onTried: () => void receipts.listUnsettled(),
    send: async (events) => {
      if (failure !== undefined) throw failure
      sent.push(events.map(({ messageId, eventType }) => `${eventType} ${messageId}`))
      return answer(events)
    },
  })
  return {
    storage,
    receipts,
    sent,
    kept,
    queued,
    again,
    left: async () => [...((await receipts.listUnsettled()) ?? ['unknown'])],
    fail: (error: CallError | undefined) => {
      failure = error
    },
  }
}

test('what is recorded twice is sent once, and all in the order in which it happened', async () => {
  const { receipts, sent } = given()
  receipts.record(['a'], 'read')
  receipts.record(['b'], 'read')
  receipts.record(['a'], 'opened')
  receipts.record(['a'], 'read')
  await receipts.flush()
  await receipts.flush()
  expect(sent).toEqual([['read a', 'read b', 'opened a']])
  receipts.stop()
})

test('what was sent and happens again in earnest is sent again', async () => {
  const { receipts, sent, again } = given()
  receipts.record(['a', 'b'], 'opened')
  await receipts.flush()
  again.add('a')
  receipts.record(['a', 'b'], 'opened')
  await receipts.flush()
  expect(sent).toEqual([['opened a', 'opened b'], ['opened a']])
  receipts.stop()
})

test('what was seen in one look is told at once, and what was noted before is not', () => {
  const { receipts, queued } = given()
  receipts.record(['a'], 'read')
  receipts.record(['a', 'b', 'c'], 'read')
  receipts.record(['b', 'c'], 'read')
  expect(queued).toEqual([['a'], ['b', 'c']])
  receipts.stop()
})

test('what could not be sent outlives the page and goes out once with the next', async () => {
  const first = given()
  first.fail(outage())
  first.receipts.record(['a'], 'read')
  first.receipts.record(['a'], 'clicked', { link: '/x' })
  await first.receipts.flush()
  first.receipts.stop()
  expect(first.sent).toEqual([])

  const second = given(first.storage)
  second.receipts.record(['b'], 'read')
  await second.receipts.flush()
  await second.receipts.flush()
  expect(second.sent).toEqual([['read a', 'clicked a', 'read b']])
  second.receipts.stop()
})

test('two pages that note the same at once keep it once, and each is told what is on disk', async () => {
  const one = given()
  const other = given(one.storage)
  for (const { fail, receipts } of [one, other]) {
    fail(outage())
    receipts.record(['a'], 'read')
  }
  await Promise.all([one.receipts.flush(), other.receipts.flush()])
  expect(await one.storage.get('receipts|k|u')).toHaveLength(1)
  expect([one.kept.length, other.kept.length]).toEqual([1, 1])
  for (const { receipts } of [one, other]) receipts.stop()
})

test('what another page has sent is not left here, although its word of that was lost', async () => {
  const one = given()
  const other = given(one.storage)
  one.fail(outage())
  one.receipts.record(['a'], 'read')
  await one.receipts.flush()
  expect(await one.left()).toEqual(['read|a'])
  one.fail(undefined)
  await other.receipts.flush()
  expect(other.sent).toEqual([['read a']])
  one.receipts.record(['b'], 'read')
  expect(await one.left()).toEqual(['read|b'])
  // Nothing is sent of it, and nothing of it waits.
  await one.receipts.flush()
  expect(one.sent).toEqual([['read b']])
  one.receipts.sendBeforeLeaving()
  expect(one.sent).toHaveLength(1)
  for (const { receipts } of [one, other]) receipts.stop()
})

test('a disk that cannot be read says nothing of what is left', async () => {
  const { receipts, storage, fail, left, sent } = given()
  fail(outage())
  receipts.record(['a'], 'read')
  await receipts.flush()
  storage.get = async () => undefined
  expect(await left()).toEqual(['unknown'])
  fail(undefined)
  receipts.sendBeforeLeaving()
  expect(sent).toEqual([['read a']])
  receipts.stop()
})

test('a page that goes while it writes tells the other tabs: the one that leads sends what it finds', async () => {
  const storage = memoryStorage()
  const { receipts, kept } = given({ ...storage, update: () => new Promise(() => {}) })
  receipts.record(['a'], 'clicked')
  await new Promise((done) => setImmediate(done))
  expect(kept).toEqual([])
  receipts.sendBeforeLeaving()
  expect(kept.map(({ messageId }) => messageId)).toEqual(['a'])
  receipts.stop()
})

test('batches hold at most 500', async () => {
  const { receipts, sent } = given()
  for (let at = 0; at < 1201; at++) receipts.record([`m${at}`], 'read')
  await receipts.flush()
  expect(sent.map((batch) => batch.length)).toEqual([500, 500, 201])
  receipts.stop()
})

test('a refused session keeps the events; a batch that cannot be read is let go', async () => {
  const { receipts, sent, fail, storage } = given()
  fail(new CallError({ status: 401, code: 'auth/invalid-session', correlationId: null, retryAfterMs: undefined }))
  receipts.record(['a'], 'read')
  await receipts.flush()
  expect(await storage.get('receipts|k|u')).toHaveLength(1)
  fail(new CallError({ status: 400, code: 'request/invalid-body', correlationId: null, retryAfterMs: undefined }))
  await receipts.flush()
  expect(await storage.get('receipts|k|u')).toEqual([])
  expect(sent).toEqual([])
  receipts.stop()
})

test('what is kept of a former user is ids only', async () => {
  const { receipts, fail, storage } = given()
  fail(outage())
  receipts.record(['a'], 'clicked', { link: '/private' })
  await receipts.flush()
  await receipts.keepIdsOnly()
  expect(await storage.get('receipts|k|u')).toEqual([
    { messageId: 'a', eventType: 'clicked', occurredAt: '1970-01-01T00:00:00.000Z' },
  ])
  receipts.stop()
})
