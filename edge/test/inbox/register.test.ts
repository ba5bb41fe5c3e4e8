// Tests POST /v1/notification/event/register.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { formatId } from '../../lib/id.ts'
import { type GivenRealtime, givenRealtime } from '../support/given-realtime.ts'

let given: GivenRealtime
beforeAll(async () => {
  given = await givenRealtime()
})
afterEach(() => expect(given.counted.defects).toEqual([]))
afterAll(() => given.close())

const MINUTE_MS = 60_000
const isoAfter = (ms: number) => new Date(given.clock.now() + ms).toISOString()

let users = 0
async function recipient(messages: number) {
  const userId = `recipient-${++users}`
  const signedIn = await given.signIn(userId)
  const ids = (await given.addMessages(userId, messages)).map((id) => formatId('message', id))
  const register = (body: unknown) => given.call('POST', '/v1/notification/event/register', signedIn.token, body)
  const list = async () => (await given.call('GET', '/v1/inbox/messages', signedIn.token)).body.data
  return { ...signedIn, ids, id: ids[0] ?? '', register, list }
}

test('read clears the badge, opened the dot; a repeat returns recorded: false and changes nothing', async () => {
  const { id, register, epoch } = await recipient(1)
  const read = await register({ messageId: id, eventType: 'read' })
  expect(read.status).toBe(200)
  expect(read.body).toEqual({
    results: [{ messageId: id, eventType: 'read', recorded: true }],
    inbox: { epoch, seq: 2, unread: 0, unopened: 1 },
  })
  const again = await register({ messageId: id, eventType: 'read' })
  expect(again.body).toEqual({
    results: [{ messageId: id, eventType: 'read', recorded: false }],
    inbox: { epoch, seq: 2, unread: 0, unopened: 1 },
  })
  const opened = await register({ messageId: id, eventType: 'opened' })
  expect(opened.body.inbox).toMatchObject({ seq: 3, unread: 0, unopened: 0 })
})

test('clicked implies the steps before it, and a real event replaces an implied one', async () => {
  const { id, register, list } = await recipient(1)
  expect((await register({ messageId: id, eventType: 'clicked', link: '/orders/1' })).body.results).toMatchObject([
    { recorded: true },
  ])
  const now = isoAfter(0)
  expect(await list()).toMatchObject([{ readAt: now, openedAt: now, clickedAt: now, unopened: false }])
  expect((await register({ messageId: id, eventType: 'opened' })).body.results).toMatchObject([{ recorded: true }])
  expect((await register({ messageId: id, eventType: 'opened' })).body.results).toMatchObject([{ recorded: false }])
})

test('occurredAt is limited to the time between creation and now', async () => {
  const { ids, register, list } = await recipient(2)
  const createdAt = isoAfter(0)
  given.clock.at += MINUTE_MS
  await register({ messageId: ids[0], eventType: 'read', occurredAt: isoAfter(-10 * MINUTE_MS) })
  await register({ messageId: ids[1], eventType: 'read', occurredAt: isoAfter(10 * MINUTE_MS) })
  const [second, first] = await list()
  expect([first.readAt, second.readAt]).toEqual([createdAt, isoAfter(0)])
})

test('a batch returns the result of each item in its place', async () => {
  const { ids, register } = await recipient(2)
  const foreign = await recipient(1)
  const answer = await register({
    events: [
      { messageId: ids[0], eventType: 'read' },
      { messageId: ids[0], eventType: 'read' },
      { messageId: 'nonsense', eventType: 'read' },
      { messageId: ids[1], eventType: 'smelled' },
      { messageId: foreign.id, eventType: 'opened' },
      { messageId: ids[1], eventType: 'read', occurredAt: 'yesterday' },
      { messageId: ids[1], eventType: 'opened', source: 'widget' },
    ],
  })
  expect(answer.status).toBe(200)
  expect(answer.body.results).toEqual([
    { messageId: ids[0], eventType: 'read', recorded: true },
    { messageId: ids[0], eventType: 'read', recorded: false },
    { messageId: 'nonsense', code: 'message/not-found' },
    { messageId: ids[1], code: 'request/invalid-body' },
    { messageId: foreign.id, code: 'message/not-found' },
    { messageId: ids[1], code: 'request/invalid-body' },
    { messageId: ids[1], eventType: 'opened', recorded: true },
  ])
  expect(answer.body.inbox).toMatchObject({ seq: 4, unread: 0, unopened: 1 })
  expect(await foreign.list()).toMatchObject([{ openedAt: null, unopened: true }])
})

test('a batch of invalid items only is answered too', async () => {
  const { register, epoch } = await recipient(1)
  expect((await register({ events: [{ messageId: 'x', eventType: 'read' }] })).body).toEqual({
    results: [{ messageId: 'x', code: 'message/not-found' }],
    inbox: { epoch, seq: 1, unread: 1, unopened: 1 },
  })
})

test('a batch accepts 500 items, and refuses more', async () => {
  const { ids, register } = await recipient(500)
  const events = ids.map((messageId) => ({ messageId, eventType: 'read' }))
  const answer = await register({ events })
  expect(answer.body.results.filter((result: { recorded?: boolean }) => result.recorded === true)).toHaveLength(500)
  expect(answer.body.inbox).toMatchObject({ seq: 1000, unread: 0, unopened: 500 })
  expect((await register({ events: [...events, events[0]] })).status).toBe(400)
})

test('a single event for a message of another inbox is answered with 404', async () => {
  const { register } = await recipient(1)
  const foreign = await recipient(1)
  for (const messageId of [foreign.id, 'msg_00000000000', 'nonsense', '']) {
    expect(await register({ messageId, eventType: 'read' })).toMatchObject({
      status: 404,
      body: { code: 'message/not-found' },
    })
  }
})

test.each([
  {},
  { messageId: 'x' },
  { eventType: 'read' },
  { messageId: 1, eventType: 'read' },
  { messageId: 'x', eventType: 'send' },
  { messageId: 'x', eventType: 'read', occurredAt: 'now' },
  { messageId: 'x', eventType: 'read', source: '' },
  { events: [] },
  { events: 'all' },
  { events: [null] },
  { events: [{ eventType: 'read' }] },
])('a body of %j is refused', async (body) => {
  const { register } = await recipient(1)
  expect(await register(body)).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
})
