// Tests the effects of users' actions and of time on messages.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { InboxOwner } from '../../domain/message.ts'
import { formatId } from '../../lib/id.ts'
import { type GivenRealtime, givenRealtime } from '../support/given-realtime.ts'

let given: GivenRealtime
beforeAll(async () => {
  given = await givenRealtime()
})
afterEach(() => expect(given.counted.defects).toEqual([]))
afterAll(() => given.close())

const HOUR_MS = 3_600_000
const UNKNOWN = 'msg_00000000000'
const isoAfter = (ms: number) => new Date(given.clock.now() + ms).toISOString()

let users = 0
async function owner(messages: number, fields = {}) {
  const userId = `owner-${++users}`
  const signedIn = await given.signIn(userId)
  const ids = messages === 0 ? [] : await given.addMessages(userId, messages, fields)
  return { ...signedIn, userId, ids: ids.map((id) => formatId('message', id)) }
}
const headOf = async (owner: InboxOwner) => {
  const { seq, unread, unopened } = await given.stores.inboxes.head(owner)
  return { seq, unread, unopened }
}

test('archive, snooze and marks return the message and the counts', async () => {
  const { token, ids, epoch } = await owner(2)
  const patch = async (body: object) => (await given.call('PATCH', `/v1/inbox/messages/${ids[0]}`, token, body)).body
  const archived = await patch({ archived: true })
  expect(archived).toMatchObject({
    message: { id: ids[0], archivedAt: isoAfter(0) },
    inbox: { epoch, seq: 3, unread: 1 },
  })
  const until = isoAfter(HOUR_MS)
  expect(await patch({ archived: false, snoozedUntil: until })).toMatchObject({
    message: { archivedAt: null, snoozedUntil: until },
    inbox: { seq: 4, unread: 1, unopened: 1 },
  })
  expect(await patch({ snoozedUntil: null })).toMatchObject({
    message: { snoozedUntil: null },
    inbox: { seq: 5, unread: 2, unopened: 2 },
  })
  expect(await patch({ unopened: false })).toMatchObject({
    message: { unopened: false, readAt: null },
    inbox: { unread: 1, unopened: 1 },
  })
  expect(await patch({ unopened: true })).toMatchObject({ message: { unopened: true }, inbox: { seq: 7, unopened: 2 } })
  expect(await patch({ unopened: true })).toMatchObject({ inbox: { seq: 7 } })
})

test.each([
  ['a snooze into the past', { snoozedUntil: -1000 }],
  ['a snooze until now', { snoozedUntil: 0 }],
  ['a snooze of more than a year', { snoozedUntil: 367 * 24 * HOUR_MS }],
])('%s is refused and changes nothing', async (_, { snoozedUntil }) => {
  const { token, ids, user } = await owner(1)
  const path = `/v1/inbox/messages/${ids[0]}`
  const answer = await given.call('PATCH', path, token, { archived: true, snoozedUntil: isoAfter(snoozedUntil) })
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'request/invalid-body', details: [{ path: 'snoozedUntil' }] },
  })
  expect(await headOf(user)).toEqual({ seq: 1, unread: 1, unopened: 1 })
})

test.each([
  {},
  { archived: 'yes' },
  { snoozedUntil: 'soon' },
  { snoozedUntil: 12 },
  { unopened: null },
  { other: true },
])('a change of %j is refused', async (body) => {
  const { token, ids } = await owner(1)
  const answer = await given.call('PATCH', `/v1/inbox/messages/${ids[0]}`, token, body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
})

test('a deleted message is not found again, also by a second delete', async () => {
  const { token, ids, epoch } = await owner(2)
  const path = `/v1/inbox/messages/${ids[0]}`
  expect(await given.call('DELETE', path, token)).toMatchObject({
    status: 200,
    body: { inbox: { epoch, seq: 3, unread: 1, unopened: 1 } },
  })
  const page = await given.call('GET', '/v1/inbox/messages', token)
  expect(page.body.data.map((message: { id: string }) => message.id)).toEqual([ids[1]])
  for (const [method, body] of [['DELETE'], ['PATCH', { archived: true }]] as const) {
    expect(await given.call(method, path, token, body)).toMatchObject({
      status: 404,
      body: { code: 'message/not-found' },
    })
  }
})

test('messages of others, unknown ids and malformed ids are not found', async () => {
  const { token } = await owner(1)
  const other = await owner(1)
  for (const id of [
    other.ids[0],
    UNKNOWN,
    'nonsense',
    'evt_00000000000',
    encodeURIComponent("'; DROP TABLE message"),
  ]) {
    const path = `/v1/inbox/messages/${id}`
    const refused = { status: 404, body: { code: 'message/not-found' } }
    expect(await given.call('PATCH', path, token, { archived: true })).toMatchObject(refused)
    expect(await given.call('DELETE', path, token)).toMatchObject(refused)
  }
  expect(await headOf(other.user)).toEqual({ seq: 1, unread: 1, unopened: 1 })
})

test('actions return a result for each id in order, also for repeated ids', async () => {
  const { token, ids } = await owner(3)
  const otherUsersId = (await owner(1)).ids[0]
  const requestedIds = [ids[2], otherUsersId, 'nonsense', ids[0], ids[2]]
  const answer = await given.call('POST', '/v1/inbox/actions', token, { ids: requestedIds, deleted: true })
  expect(answer.status).toBe(200)
  expect(answer.body.results).toEqual([
    { id: ids[2], ok: true },
    { id: otherUsersId, code: 'message/not-found' },
    { id: 'nonsense', code: 'message/not-found' },
    { id: ids[0], ok: true },
    { id: ids[2], ok: true },
  ])
  expect(answer.body.inbox).toMatchObject({ seq: 5, unread: 1, unopened: 1 })
})

test('actions accept 500 ids, and refuse more', async () => {
  const { token, ids } = await owner(500)
  const archive = (requestedIds: string[]) =>
    given.call('POST', '/v1/inbox/actions', token, { ids: requestedIds, archived: true })
  const answer = await archive(ids)
  expect(answer.body.results.every((result: { ok?: boolean }) => result.ok === true)).toBe(true)
  expect(answer.body.inbox).toMatchObject({ seq: 1000, unread: 0, unopened: 0 })
  expect((await archive([...ids, UNKNOWN])).status).toBe(400)
  expect((await archive([])).status).toBe(400)
  expect((await given.call('POST', '/v1/inbox/actions', token, { ids })).status).toBe(400)
})

test('read-all clears badge and dots up to its seq, and writes no delivery event', async () => {
  const { token, ids } = await owner(3)
  expect((await given.call('POST', '/v1/inbox/read-all', token, { seq: 2 })).body).toMatchObject({
    inbox: { seq: 5, unread: 1, unopened: 1 },
  })
  const page = await given.call('GET', '/v1/inbox/messages', token)
  expect(page.body.data.map(({ unopened, readAt }: Record<string, unknown>) => [unopened, readAt])).toEqual([
    [true, null],
    [false, null],
    [false, null],
  ])
  // A real read still counts as new afterwards.
  const read = await given.call('POST', '/v1/notification/event/register', token, {
    messageId: ids[0],
    eventType: 'read',
  })
  expect(read.body.results).toEqual([{ messageId: ids[0], eventType: 'read', recorded: true }])
  for (const seq of [-1, 1.5, '2', null]) {
    expect((await given.call('POST', '/v1/inbox/read-all', token, { seq })).status).toBe(400)
  }
})

test('a backend marks the messages of an entity, or by id, as read elsewhere', async () => {
  const { userId, user, ids } = await owner(2, { entity: 'order:1' })
  await given.addMessages(userId, 1, { entity: 'order:2' })
  const otherUsersId = (await owner(1)).ids[0] ?? ''
  const { environment } = given
  expect(
    await given.markRead(environment, userId, { messageIds: [ids[0] ?? '', otherUsersId, 'x', ids[0] ?? ''] }),
  ).toEqual({
    marked: 1,
  })
  expect(await given.markRead(environment, userId, { entity: 'order:1' })).toEqual({ marked: 1 })
  expect(await given.markRead(environment, userId, { entity: 'order:1' })).toEqual({ marked: 0 })
  expect(await headOf(user)).toEqual({ seq: 5, unread: 1, unopened: 1 })
  await expect(given.markRead(environment, 'nobody', { entity: 'x' })).rejects.toMatchObject({ code: 'user/not-found' })
  await expect(given.markRead(given.other.environment, userId, { entity: 'order:2' })).rejects.toMatchObject({
    code: 'user/not-found',
  })
})

test('a backend marks more messages of an entity than one plan contains', async () => {
  const { userId, user } = await owner(700, { entity: 'order:9' })
  expect(await given.markRead(given.environment, userId, { entity: 'order:9' })).toEqual({ marked: 700 })
  expect(await headOf(user)).toMatchObject({ unread: 0, unopened: 0 })
})

test('the end of a snooze and the expiry of a message are changes with a seq, and frames', async () => {
  const { token, userId, user, ids, epoch } = await owner(1)
  await given.addMessages(userId, 1, { expiresAt: given.clock.now() + HOUR_MS })
  await given.call('PATCH', `/v1/inbox/messages/${ids[0]}`, token, { snoozedUntil: isoAfter(HOUR_MS / 2) })
  expect(await given.expireMessages()).toBe(0)
  given.clock.at += HOUR_MS / 2
  expect(await given.expireMessages()).toBe(1)
  expect(await headOf(user)).toEqual({ seq: 4, unread: 2, unopened: 2 })
  given.clock.at += HOUR_MS / 2 - 1
  expect(await given.expireMessages()).toBe(0)
  given.clock.at += 1
  expect(await given.expireMessages()).toBe(1)
  expect(await given.expireMessages()).toBe(0)
  const newSession = await given.signIn(userId)
  const { body } = await given.call('GET', `/v1/inbox/changes?since=3&epoch=${epoch}`, newSession.token)
  expect(body).toMatchObject({ seq: 5, unread: 1, unopened: 1 })
  expect(body.changes).toMatchObject([
    { seq: 4, op: 'update', id: ids[0], patch: { snoozedUntil: null } },
    { seq: 5, op: 'remove' },
  ])
})

test('a snooze that was prolonged stays when its former end is processed late', async () => {
  const { token, ids, user, owner: inboxOwner } = await owner(1)
  await given.call('PATCH', `/v1/inbox/messages/${ids[0]}`, token, { snoozedUntil: isoAfter(1000) })
  given.clock.at += 1000
  const due = await given.stores.inboxes.listDue(given.clock.now(), 10)
  expect(due).toEqual([{ ...inboxOwner, messageId: expect.any(Number), due: 'end-snooze' }])
  await given.call('PATCH', `/v1/inbox/messages/${ids[0]}`, token, { snoozedUntil: isoAfter(HOUR_MS) })
  await given.stores.commit.change({
    kind: 'change',
    ...inboxOwner,
    now: given.clock.now(),
    items: due.map(({ messageId, due: action }) => ({ messageId, actions: [{ action }] })),
    readAllUpTo: null,
  })
  expect(await headOf(user)).toEqual({ seq: 3, unread: 0, unopened: 0 })
})
