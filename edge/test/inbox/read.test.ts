// Tests pages and changes of an inbox over HTTP.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatId } from '../../lib/id.ts'
import { type GivenRealtime, givenRealtime } from '../support/given-realtime.ts'

let given: GivenRealtime
beforeAll(async () => {
  given = await givenRealtime()
})
afterAll(() => given.close())

let users = 0
/** Creates a user with this many messages for one test. */
async function reader(messages: number, fields = {}) {
  const userId = `reader-${++users}`
  const signedIn = await given.signIn(userId)
  const ids = messages === 0 ? [] : await given.addMessages(userId, messages, fields)
  return { ...signedIn, userId, ids: ids.map((id) => formatId('message', id)) }
}
const idsOf = (body: { data: { id: string }[] }) => body.data.map((message) => message.id)

test('pages are newest first, continue by cursor and contain the inbox position', async () => {
  const { token, ids, epoch } = await reader(5)
  const newest = [...ids].reverse()
  const first = await given.call('GET', '/v1/inbox/messages?limit=2', token)
  expect(first.status).toBe(200)
  expect(idsOf(first.body)).toEqual(newest.slice(0, 2))
  expect(first.body.inbox).toEqual({ epoch, seq: 5, unread: 5, unopened: 5 })
  const second = await given.call('GET', `/v1/inbox/messages?limit=2&cursor=${first.body.nextCursor}`, token)
  const third = await given.call('GET', `/v1/inbox/messages?limit=2&cursor=${second.body.nextCursor}`, token)
  expect([...idsOf(second.body), ...idsOf(third.body)]).toEqual(newest.slice(2))
  expect(third.body.nextCursor).toBeNull()
})

test('a page that ends with the last message has no cursor', async () => {
  const { token } = await reader(2)
  const page = await given.call('GET', '/v1/inbox/messages?limit=2', token)
  expect(page.body).toMatchObject({ nextCursor: null })
})

test('a message has all fields of the contract', async () => {
  const { token, ids } = await reader(1, { category: null })
  const { body } = await given.call('GET', '/v1/inbox/messages', token)
  expect(body.data).toEqual([
    {
      id: ids[0],
      seq: 1,
      title: 'Hello',
      body: '',
      bodyFormat: 'text',
      link: null,
      actions: [],
      category: null,
      entity: null,
      icon: null,
      imageUrl: null,
      priority: 'normal',
      data: {},
      createdAt: new Date(given.clock.now()).toISOString(),
      expiresAt: null,
      unopened: true,
      readAt: null,
      openedAt: null,
      clickedAt: null,
      archivedAt: null,
      snoozedUntil: null,
    },
  ])
})

test('each filter returns the messages of its list section', async () => {
  const { token, ids } = await reader(4)
  const [remaining, archived, snoozed, opened] = ids
  const snoozedUntil = new Date(given.clock.now() + 1000).toISOString()
  await given.call('PATCH', `/v1/inbox/messages/${archived}`, token, { archived: true })
  await given.call('PATCH', `/v1/inbox/messages/${snoozed}`, token, { snoozedUntil })
  await given.call('PATCH', `/v1/inbox/messages/${opened}`, token, { unopened: false })
  const listed = async (filter: string) =>
    idsOf((await given.call('GET', `/v1/inbox/messages?filter=${filter}`, token)).body)
  expect(await listed('all')).toEqual([opened, remaining])
  expect(await listed('unopened')).toEqual([remaining])
  expect(await listed('archived')).toEqual([archived])
  expect(await listed('snoozed')).toEqual([snoozed])
})

test.each([
  'limit=0',
  'limit=101',
  'limit=x',
  'filter=other',
  'cursor=nonsense',
  `cursor=${Buffer.from('events:4').toString('base64url')}`,
  'category=',
])('a page query of %s is refused', async (query) => {
  const { token } = await reader(0)
  const answer = await given.call('GET', `/v1/inbox/messages?${query}`, token)
  expect(answer).toMatchObject({ status: 400, body: { code: 'request/invalid-query' } })
})

test('changes come in order after since, and 304 while there is no new one', async () => {
  const { token, userId, ids, epoch } = await reader(2)
  await given.call('POST', '/v1/notification/event/register', token, { messageId: ids[0], eventType: 'read' })
  const url = `/v1/inbox/changes?since=1&epoch=${epoch}`
  const first = await given.call('GET', url, token)
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({ epoch, seq: 3, unread: 1, unopened: 2, reset: false })
  expect(first.body.changes.map(({ seq, op }: { seq: number; op: string }) => [seq, op])).toEqual([
    [2, 'add'],
    [3, 'update'],
  ])
  expect(first.body.changes[1]).toEqual({
    seq: 3,
    op: 'update',
    id: ids[0],
    patch: { readAt: new Date(given.clock.now()).toISOString() },
  })
  const etag = first.headers.get('etag') ?? ''
  const again = await given.call('GET', url, token, undefined, { 'if-none-match': `"other", W/${etag}` })
  expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag])
  expect(again.headers.get('x-correlation-id')).not.toBeNull()
  await given.addMessages(userId)
  expect((await given.call('GET', url, token, undefined, { 'if-none-match': etag })).status).toBe(200)
})

test('an ETag of another since or epoch is never answered with 304', async () => {
  const { token, epoch } = await reader(3)
  const known = await given.call('GET', `/v1/inbox/changes?since=3&epoch=${epoch}`, token)
  const headers = { 'if-none-match': known.headers.get('etag') ?? '' }
  const olderSince = await given.call('GET', `/v1/inbox/changes?since=1&epoch=${epoch}`, token, undefined, headers)
  expect([olderSince.status, olderSince.body.changes.length]).toEqual([200, 2])
  const otherEpoch = await given.call('GET', '/v1/inbox/changes?since=3&epoch=other', token, undefined, headers)
  expect([otherEpoch.status, otherEpoch.body.reset]).toEqual([200, true])
})

test.each([
  ['from the future', 'since=9'],
  ['of another epoch', 'since=1&epoch=other'],
])('changes since a seq %s are a reset', async (_, query) => {
  const { token, epoch } = await reader(2)
  const answer = await given.call('GET', `/v1/inbox/changes?${query}`, token)
  expect(answer.body).toEqual({ epoch, seq: 2, unread: 2, unopened: 2, changes: [], reset: true })
})

test.each(['', 'since=', 'since=-1', 'since=1.5', 'since=x', 'since=99999999999999999999'])(
  'changes with the query "%s" are refused',
  async (query) => {
    const { token } = await reader(0)
    const answer = await given.call('GET', `/v1/inbox/changes?${query}`, token)
    expect(answer).toMatchObject({ status: 400, body: { code: 'request/invalid-query' } })
  },
)

test.each([
  ['GET', '/v1/inbox/messages'],
  ['GET', '/v1/inbox/changes?since=0'],
  ['POST', '/v1/inbox/actions'],
  ['POST', '/v1/inbox/read-all'],
  ['PATCH', '/v1/inbox/messages/msg_00000000000'],
  ['DELETE', '/v1/inbox/messages/msg_00000000000'],
  ['POST', '/v1/notification/event/register'],
])('%s %s requires a session', async (method, path) => {
  for (const token of [undefined, 'invalid']) {
    const answer = await given.call(method, path, token, method === 'GET' || method === 'DELETE' ? undefined : {})
    expect(answer).toMatchObject({ status: 401, body: { code: 'auth/invalid-session' } })
  }
})
