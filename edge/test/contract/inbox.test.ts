// Tests the inbox over HTTP: messages, counts, changes, register, actions.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthAnswer, InboxChanges, InboxHead, InboxMessage } from '../../../contract/api.ts'
import { type Answer, type CallOptions, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let campaignId: string
/** A user with a snoozed message, whose snooze ends while the other tests run. */
let wakes: Awaited<ReturnType<typeof givenUser>> & { snoozed: InboxHead }
beforeAll(async () => {
  given = await givenEdge()
  campaignId = await given.publish({
    ...inboxCampaign('inbox', 'in.box', { category: 'orders' }),
    steps: [
      {
        id: 'tell',
        type: 'inbox',
        title: 'Order {{ event.properties.n }}',
        body: '**{{ event.properties.n }}**',
        bodyFormat: 'markdown',
        link: '{{ event.properties.link }}',
        actions: [
          { label: 'Track', link: 'https://example.com/{{ event.properties.n }}', style: 'primary' },
          { label: 'Evil', link: '{{ event.properties.evil }}' },
        ],
        icon: 'success',
        imageUrl: '{{ event.properties.picture }}',
        priority: 'high',
        entity: 'order:{{ event.properties.n }}',
        data: { n: '{{ event.properties.n }}', keep: [1, null] },
      },
    ],
  })
  const user = await givenUser('wakes', 1)
  const body = { snoozedUntil: new Date(Date.now() + 4000).toISOString() }
  const path = `/v1/inbox/messages/${user.ids[0]}`
  wakes = { ...user, snoozed: (await user.as<{ inbox: InboxHead }>('PATCH', path, { body })).body.inbox }
})
afterAll(() => given.stop())

const key = () => given.demo.environments.dev.sdkSecretKey
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const expectCode = (answer: Answer<object>, status: number, code: string) =>
  expect([answer.status, Reflect.get(answer.body, 'code')]).toEqual([status, code])
const fields = (value: object) => Object.keys(value).sort()

/** Creates a signed-in user with messages 1 to `count`, with methods for the user's calls. */
async function givenUser(userId: string, count: number) {
  for (let n = 1; n <= count; n++) {
    await given.track({
      name: 'in.box',
      userId,
      properties: { n, link: `/orders/${n}`, evil: 'javascript:alert(1)', picture: 'data:text/html,x' },
    })
  }
  const session = await given.signIn(userId)
  const as = <T = Record<string, unknown>>(method: string, path: string, options: CallOptions = {}) =>
    given.call<T>(method, path, { session, ...options })
  const list = async (query = '') => (await given.page(session, query)).data
  const head = async () => (await given.page(session)).inbox
  const ids = (await list('?limit=100')).map(({ id }) => id).reverse()
  return { session, as, list, head, ids }
}

test('a message has exactly the shape of the contract', async () => {
  const { list, session } = await givenUser('shape', 1)
  const [message] = await list()
  expect(message).toEqual({
    id: expect.stringMatching(/^msg_[A-Za-z0-9_-]+$/),
    seq: 1,
    title: 'Order 1',
    body: '**1**',
    bodyFormat: 'markdown',
    link: '/orders/1',
    actions: [
      { label: 'Track', link: 'https://example.com/1', style: 'primary' },
      { label: 'Evil', link: null, style: 'default' },
    ],
    category: 'orders',
    entity: 'order:1',
    icon: 'success',
    imageUrl: null,
    priority: 'high',
    data: { n: '1', keep: [1, null] },
    createdAt: expect.stringMatching(INSTANT),
    expiresAt: null,
    unopened: true,
    readAt: null,
    openedAt: null,
    clickedAt: null,
    archivedAt: null,
    snoozedUntil: null,
  })
  expect(fields(await given.page(session))).toEqual(['data', 'inbox', 'nextCursor'])
  expect((await given.page(session)).inbox).toEqual({ epoch: session.inbox.epoch, seq: 1, unread: 1, unopened: 1 })
})

describe('pages', () => {
  test('are newest first, and each filter returns its messages', async () => {
    const { as, list, ids } = await givenUser('pages', 5)
    const first = await as<{ data: InboxMessage[]; nextCursor: string }>('GET', '/v1/inbox/messages?limit=2')
    expect(first.body.data.map(({ seq }) => seq)).toEqual([5, 4])
    const second = await as<{ data: InboxMessage[]; nextCursor: string }>(
      'GET',
      `/v1/inbox/messages?limit=3&cursor=${first.body.nextCursor}`,
    )
    expect([second.body.data.map(({ seq }) => seq), second.body.nextCursor]).toEqual([[3, 2, 1], null])
    await as('PATCH', `/v1/inbox/messages/${ids[0]}`, { body: { archived: true } })
    await as('PATCH', `/v1/inbox/messages/${ids[1]}`, {
      body: { snoozedUntil: new Date(Date.now() + 60_000).toISOString() },
    })
    await as('PATCH', `/v1/inbox/messages/${ids[2]}`, { body: { unopened: false } })
    const seqs = async (query: string) => (await list(query)).map(({ seq }) => seq)
    expect(await seqs('')).toEqual([5, 4, 3])
    expect(await seqs('?filter=all')).toEqual([5, 4, 3])
    expect(await seqs('?filter=unopened')).toEqual([5, 4])
    expect(await seqs('?filter=archived')).toEqual([1])
    expect(await seqs('?filter=snoozed')).toEqual([2])
    expect(await seqs('?category=orders&limit=1')).toEqual([5])
    expect(await seqs('?category=other')).toEqual([])
  })

  test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'filter=x', 'filter='])(
    '?%s is refused with 400',
    async (query) => {
      const session = await given.signIn('pages')
      expectCode(await given.call('GET', `/v1/inbox/messages?${query}`, { session }), 400, 'request/invalid-query')
    },
  )

  test.each(['/v1/inbox/messages', '/v1/inbox/changes?since=0'])('%s requires a session', async (path) => {
    const rows: CallOptions[] = [
      {},
      { key: key() },
      { key: 'x' },
      { headers: { authorization: 'Basic x' } },
      { headers: { authorization: 'Bearer a b' } },
    ]
    for (const options of rows) expectCode(await given.call('GET', path, options), 401, 'auth/invalid-session')
  })
})

describe('changes of one message', () => {
  test('badge and dots follow every change, and are never negative', async () => {
    const { as, ids, head } = await givenUser('counts', 3)
    const counts = async () => Object.values(await head()).slice(2)
    const patch = (n: number, body: unknown) =>
      as<{ message: InboxMessage; inbox: InboxHead }>('PATCH', `/v1/inbox/messages/${ids[n]}`, { body })
    const register = (n: number, eventType: string) =>
      as('POST', '/v1/notification/event/register', { body: { messageId: ids[n], eventType } })
    expect(await counts()).toEqual([3, 3])
    await register(0, 'read')
    expect(await counts()).toEqual([2, 3])
    await register(0, 'opened')
    expect(await counts()).toEqual([2, 2])
    await patch(0, { unopened: true })
    expect(await counts()).toEqual([2, 3])
    const archived = await patch(1, { archived: true })
    expect(fields(archived.body)).toEqual(['inbox', 'message'])
    expect(archived.body.message.archivedAt).toMatch(INSTANT)
    expect(archived.body.inbox).toMatchObject({ unread: 1, unopened: 2 })
    expect((await patch(1, { archived: false })).body.message.archivedAt).toBeNull()
    expect(await counts()).toEqual([2, 3])
    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect((await patch(2, { snoozedUntil: until })).body.message.snoozedUntil).toBe(until)
    expect(await counts()).toEqual([1, 2])
    expect((await patch(2, { snoozedUntil: null })).body.message.snoozedUntil).toBeNull()
    expect((await patch(2, { unopened: false })).body.message).toMatchObject({
      unopened: false,
      readAt: null,
      openedAt: null,
    })
    expect(await counts()).toEqual([1, 2])
    const { seq } = await head()
    expect((await patch(2, { unopened: false })).body.inbox.seq).toBe(seq)
    const removed = await as('DELETE', `/v1/inbox/messages/${ids[1]}`)
    expect([removed.status, fields(removed.body)]).toEqual([200, ['inbox']])
    expect(await counts()).toEqual([0, 1])
    for (const method of ['DELETE', 'PATCH']) {
      const options = method === 'PATCH' ? { body: { archived: true } } : {}
      expectCode(await as(method, `/v1/inbox/messages/${ids[1]}`, options), 404, 'message/not-found')
    }
    expectCode(await register(1, 'opened'), 404, 'message/not-found')
    const before = { messageId: ids[1], eventType: 'read', occurredAt: archived.body.message.archivedAt }
    expect(
      (await as<{ results: unknown[] }>('POST', '/v1/notification/event/register', { body: before })).body.results,
    ).toMatchObject([{ recorded: true }])
    expect(await counts()).toEqual([0, 1])
    const { data } = (
      await given.call<{ data: unknown[] }>('GET', '/v1/events?name=in.box&userId=counts', { key: key() })
    ).body
    expect(data).toHaveLength(3)
  })

  test.each<[string, unknown]>([
    ['an empty body', {}],
    ['an unknown field', { x: 1 }],
    ['a text for a flag', { archived: 'yes' }],
    ['null', { archived: null }],
    ['a snooze into the past', { snoozedUntil: '2020-01-01T00:00:00Z' }],
    ['an invalid snooze', { snoozedUntil: 'soon' }],
  ])('%s is refused with 400 and changes nothing', async (_what, body) => {
    const { as, ids, head } = await givenUser('refused', 1)
    const before = await head()
    expectCode(await as('PATCH', `/v1/inbox/messages/${ids[0]}`, { body }), 400, 'request/invalid-body')
    expect(await head()).toEqual(before)
  })

  test('messages of others are not found, like unknown ones', async () => {
    const own = await givenUser('mine', 1)
    const other = await givenUser('other', 1)
    for (const id of [other.ids[0] ?? '', 'msg_00000000000', 'msg_', 'evt_00000000000', '%00', 'a'.repeat(300)]) {
      expectCode(
        await own.as('PATCH', `/v1/inbox/messages/${id}`, { body: { archived: true } }),
        404,
        'message/not-found',
      )
      expectCode(await own.as('DELETE', `/v1/inbox/messages/${id}`), 404, 'message/not-found')
    }
    for (const messageId of [other.ids[0], 'msg_00000000000', '']) {
      const body = { messageId, eventType: 'clicked' }
      expectCode(await own.as('POST', '/v1/notification/event/register', { body }), 404, 'message/not-found')
    }
    expect((await other.head()).seq).toBe(1)
  })
})

describe('register', () => {
  const register = (session: AuthAnswer, body: unknown) =>
    given.call<{ results: Record<string, unknown>[]; inbox: InboxHead }>('POST', '/v1/notification/event/register', {
      session,
      body,
    })

  test('a repeat is not recorded, and a real event replaces an implied one', async () => {
    const { session, ids } = await givenUser('implied', 1)
    const messageId = ids[0]
    const recorded = async (eventType: string) => (await register(session, { messageId, eventType })).body.results
    expect(await recorded('opened')).toEqual([{ messageId, eventType: 'opened', recorded: true }])
    expect(await recorded('opened')).toEqual([{ messageId, eventType: 'opened', recorded: false }])
    expect(await recorded('read')).toEqual([{ messageId, eventType: 'read', recorded: true }])
    expect(await recorded('read')).toEqual([{ messageId, eventType: 'read', recorded: false }])
    const [message] = (await given.page(session)).data
    expect(message).toMatchObject({
      unopened: false,
      readAt: expect.stringMatching(INSTANT),
      openedAt: expect.stringMatching(INSTANT),
      clickedAt: null,
    })
  })

  test('occurredAt is limited to the time between creation and now', async () => {
    const { session, ids, list } = await givenUser('held', 2)
    await register(session, { messageId: ids[0], eventType: 'read', occurredAt: '2001-01-01T00:00:00Z' })
    await register(session, { messageId: ids[1], eventType: 'read', occurredAt: '2999-01-01T00:00:00Z' })
    const [second, first] = await list()
    expect(first?.readAt).toBe(first?.createdAt)
    expect(Date.parse(second?.readAt ?? '')).toBeLessThanOrEqual(Date.now())
  })

  test('a batch returns the result of each item in its place', async () => {
    const { session, ids } = await givenUser('batch', 2)
    const other = await givenUser('batch-other', 1)
    const item = (messageId: unknown, eventType: unknown, more = {}) => ({ messageId, eventType, ...more })
    const answer = await register(session, {
      events: [
        item(ids[0], 'read'),
        item(ids[0], 'read'),
        item(ids[1], 'seen'),
        item(other.ids[0], 'read'),
        item(ids[1], 'clicked', { link: 'javascript:x', source: 'list' }),
        item(ids[1], 'read', { occurredAt: 'x' }),
      ],
    })
    expect(answer.status).toBe(200)
    expect(answer.body.results).toEqual([
      { messageId: ids[0], eventType: 'read', recorded: true },
      { messageId: ids[0], eventType: 'read', recorded: false },
      { messageId: ids[1], code: 'request/invalid-body' },
      { messageId: other.ids[0], code: 'message/not-found' },
      { messageId: ids[1], eventType: 'clicked', recorded: true },
      { messageId: ids[1], code: 'request/invalid-body' },
    ])
    expect(answer.body.inbox).toMatchObject({ unread: 0, unopened: 1 })
    const many = (count: number) => ({ events: Array.from({ length: count }, () => item(ids[0], 'read')) })
    expect((await register(session, many(500))).body.results).toHaveLength(500)
    expectCode(await register(session, many(501)), 400, 'request/invalid-body')
  })

  test.each<[string, unknown]>([
    ['an empty body', {}],
    ['no events', { events: [] }],
    ['a text for the events', { events: 'x' }],
    ['an unknown type', { eventType: 'seen' }],
    ['send', { eventType: 'send' }],
    ['no type', {}],
    ['a number for the type', { eventType: 1 }],
    ['an invalid time', { eventType: 'read', occurredAt: 'x' }],
  ])('%s is refused with 400', async (name, body) => {
    const { session, ids } = await givenUser('refused-register', 1)
    const isAlone = typeof body === 'object' && body !== null && !('events' in body) && name !== 'an empty body'
    expectCode(await register(session, isAlone ? { messageId: ids[0], ...body } : body), 400, 'request/invalid-body')
  })
})

describe('actions on many messages', () => {
  test('return a result for each id, and read-all writes no delivery event', async () => {
    const { as, ids, head, list } = await givenUser('actions', 4)
    const sendActions = (body: unknown) =>
      as<{ results: unknown[]; inbox: InboxHead }>('POST', '/v1/inbox/actions', { body })
    const before = (
      await given.call<{ steps: { count: number }[] }>('GET', `/v1/campaigns/${campaignId}/stats`, { key: key() })
    ).body
    const answer = await sendActions({ ids: [ids[0], 'msg_x', ids[0], ids[1]], unopened: false })
    expect(answer.body).toEqual({
      results: [
        { id: ids[0], ok: true },
        { id: 'msg_x', code: 'message/not-found' },
        { id: ids[0], ok: true },
        { id: ids[1], ok: true },
      ],
      inbox: await head(),
    })
    expect(answer.body.inbox).toMatchObject({ unread: 2, unopened: 2 })
    const all = await as<{ inbox: InboxHead }>('POST', '/v1/inbox/read-all', { body: { seq: 3 } })
    expect([fields(all.body), all.body.inbox.unread, all.body.inbox.unopened]).toEqual([['inbox'], 1, 1])
    await given.track({ name: 'in.box', userId: 'actions', properties: { n: 9 } })
    expect((await list()).filter(({ unopened }) => unopened).map(({ title }) => title)).toEqual(['Order 9', 'Order 4'])
    expect((await sendActions({ ids, deleted: true })).body.inbox).toMatchObject({ unread: 1, unopened: 1 })
    const after = (
      await given.call<{ steps: { count: number }[] }>('GET', `/v1/campaigns/${campaignId}/stats`, { key: key() })
    ).body
    expect(after.steps.slice(1)).toMatchObject(before.steps.slice(1).map(({ count }) => ({ count })))
    for (const body of [
      { ids: [], archived: true },
      { ids: Array(501).fill('x'), archived: true },
      { ids: ['x'] },
      { archived: true },
      { ids: [1], archived: true },
    ]) {
      expectCode(await sendActions(body), 400, 'request/invalid-body')
    }
    for (const body of [{}, { seq: -1 }, { seq: '1' }, { seq: 1.5 }]) {
      expectCode(await as('POST', '/v1/inbox/read-all', { body }), 400, 'request/invalid-body')
    }
  })
})

describe('changes', () => {
  test('are in order, the ETag is answered with 304, and a position outside the log is a reset', async () => {
    const { as, ids, session } = await givenUser('changes', 2)
    await as('PATCH', `/v1/inbox/messages/${ids[0]}`, { body: { archived: true } })
    await as('DELETE', `/v1/inbox/messages/${ids[1]}`)
    const { epoch } = session.inbox
    const read = (query: string, headers: Record<string, string> = {}) =>
      as<InboxChanges>('GET', `/v1/inbox/changes?${query}`, { headers })
    const all = await read(`since=0&epoch=${epoch}`)
    expect(all.body).toMatchObject({ epoch, seq: 4, unread: 0, unopened: 0, reset: false })
    expect(all.body.changes.map(({ seq, op }) => [seq, op])).toEqual([
      [1, 'add'],
      [2, 'add'],
      [3, 'update'],
      [4, 'remove'],
    ])
    expect(all.body.changes[2]).toEqual({
      seq: 3,
      op: 'update',
      id: ids[0],
      patch: { archivedAt: expect.stringMatching(INSTANT) },
    })
    expect(all.body.changes[3]).toEqual({ seq: 4, op: 'remove', id: ids[1] })
    expect((await read(`since=2`)).body.changes.map(({ seq }) => seq)).toEqual([3, 4])
    const etag = all.headers.get('etag') ?? ''
    const same = await read(`since=0&epoch=${epoch}`, { 'if-none-match': etag })
    expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', etag])
    expect((await read(`since=4&epoch=${epoch}`, { 'if-none-match': etag })).status).toBe(200)
    for (const query of [`since=5&epoch=${epoch}`, 'since=0&epoch=another', 'since=4&epoch=another']) {
      expect((await read(query)).body).toEqual({ epoch, seq: 4, unread: 0, unopened: 0, changes: [], reset: true })
    }
    await given.track({ name: 'in.box', userId: 'changes', properties: { n: 3 } })
    expect((await read(`since=0&epoch=${epoch}`, { 'if-none-match': etag })).status).toBe(200)
    for (const query of ['', 'since=', 'since=-1', 'since=x', 'since=1e3', 'since=1.5']) {
      expectCode(await read(query), 400, 'request/invalid-query')
    }
  })
})

// Last: the other tests are the wait.
test('the end of a snooze is a change with a seq', async () => {
  const { ids, head, session, snoozed } = wakes
  expect(snoozed).toMatchObject({ seq: 2, unread: 0, unopened: 0 })
  await expect.poll(head).toMatchObject({ seq: 3, unread: 1, unopened: 1 })
  const changes = await given.call<InboxChanges>('GET', '/v1/inbox/changes?since=2', { session })
  expect(changes.body.changes).toEqual([{ seq: 3, op: 'update', id: ids[0], patch: { snoozedUntil: null } }])
})
