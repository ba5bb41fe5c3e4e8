// Tests the API for backends besides tracking, and that it does not find ids of another environment.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let key: string
let prodKey: string
let campaignId: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  prodKey = given.demo.environments.prod.sdkSecretKey
  campaignId = await given.publish(inboxCampaign('backend', 'back.end'))
})
afterAll(() => given.stop())

interface Page {
  data: Record<string, unknown>[]
  nextCursor: string | null
}
const get = <T = Record<string, unknown>>(path: string, as = key): Promise<Answer<T>> =>
  given.call<T>('GET', path, { key: as })
const expectCode = (answer: Answer, status: number, code: string) =>
  expect([answer.status, answer.body.code]).toEqual([status, code])

async function readAll(path: string, limit: number): Promise<unknown[]> {
  const found: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer: Answer<Page> = await get<Page>(
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    expect(answer.status).toBe(200)
    found.push(...answer.body.data)
    cursor = answer.body.nextCursor
  }
  return found
}

describe('events', () => {
  test('an event and its run have every field of the contract', async () => {
    const tracked = await given.call<{ eventId: string; receivedAt: string }>('POST', '/v1/events/track', {
      key,
      headers: { 'x-correlation-id': 'trace.me_1-A' },
      body: {
        sdkSecretKey: key,
        name: 'back.end',
        userId: 'e1',
        properties: { name: 'x', deep: [{ a: null }] },
        occurredAt: '2026-01-02T03:04:05+01:00',
      },
    })
    const { eventId, receivedAt } = tracked.body
    const event = await get<Record<string, unknown> & { runs: Record<string, string>[]; messageIds: string[] }>(
      `/v1/events/${eventId}`,
    )
    expect(event.body).toMatchObject({
      eventId,
      correlationId: 'trace.me_1-A',
      name: 'back.end',
      userId: 'e1',
      properties: { name: 'x', deep: [{ a: null }] },
      source: expect.any(String),
      occurredAt: '2026-01-02T02:04:05.000Z',
      receivedAt,
      outcome: 'matched',
      runs: [
        {
          runId: expect.stringMatching(/^run_/),
          campaignId,
          campaignKey: 'backend',
          version: 1,
          branch: null,
          userId: 'e1',
          state: 'completed',
          stateReason: null,
        },
      ],
      messageIds: [expect.stringMatching(/^msg_/)],
    })
    const { runId } = event.body.runs[0] as { runId: string }
    const run = await get(`/v1/runs/${runId}`)
    expect(run.body).toMatchObject({
      ...event.body.runs[0],
      steps: [
        {
          stepId: 'tell',
          type: 'inbox',
          outcome: 'done',
          reason: null,
          at: expect.stringMatching(/Z$/),
          durationMs: expect.any(Number),
        },
      ],
    })
    const runs = await get<Page>(`/v1/events/${eventId}/runs`)
    expect(runs.body).toEqual({ data: [event.body.runs[0]], nextCursor: null })
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['matches no campaign', { name: 'un.matched', userId: 'u' }, 'unmatched'],
    ['goes to an unknown topic', { name: 'back.end', topic: 'nobody-here' }, 'no-user'],
    ['has 50 recipients', { name: 'back.end', userIds: Array.from({ length: 50 }, (_, i) => `f${i}`) }, 'matched'],
    [
      'has 60 recipients, 50 of them different',
      { name: 'back.end', userIds: Array.from({ length: 60 }, (_, i) => `f${i % 50}`) },
      'matched',
    ],
    ['has 51 recipients', { name: 'back.end', userIds: Array.from({ length: 51 }, (_, i) => `f${i}`) }, 'fanned-out'],
    [
      'has 51 recipients and no campaign',
      { name: 'un.matched', userIds: Array.from({ length: 51 }, (_, i) => `f${i}`) },
      'fanned-out',
    ],
  ])('an event that %s has the outcome %3$s', async (_what, event, outcome) => {
    const { eventId } = (await given.track(event)).body
    const answer = await get<{ outcome: string; runs: unknown[]; messageIds: unknown[] }>(`/v1/events/${eventId}`)
    expect(answer.body.outcome).toBe(outcome)
    expect(answer.body.runs.length).toBeLessThanOrEqual(20)
    if (outcome === 'matched') {
      expect([answer.body.runs.length, answer.body.messageIds.length]).toEqual([20, 20])
      const all = await readAll(`/v1/events/${eventId}/runs`, 7)
      const ids = all.map((run) => (run as { runId: string }).runId)
      expect(new Set(ids).size).toBe(50)
      expect([...ids].sort().reverse()).toEqual(ids)
    }
  })

  test('the list is newest first, can be filtered, and continues by cursor', async () => {
    // Both ends are inclusive, and the first event may come within the same millisecond.
    const before = new Date(Date.now() - 1000).toISOString()
    const ids: string[] = []
    for (let index = 0; index < 5; index++)
      ids.push((await given.track({ name: 'list.me', userId: `l${index % 2}` })).body.eventId)
    const all = (await readAll('/v1/events?name=list.me', 2)) as { eventId: string }[]
    expect(all.map(({ eventId }) => eventId)).toEqual([...ids].reverse())
    expect(await readAll('/v1/events?name=list.me&userId=l0', 100)).toHaveLength(3)
    expect(await readAll(`/v1/events?name=list.me&to=${before}`, 100)).toHaveLength(0)
    expect(await readAll(`/v1/events?name=list.me&from=${before}`, 100)).toHaveLength(5)
    expect(await readAll('/v1/events?name=list', 100)).toHaveLength(0)
    const { correlationId } = (await get<{ correlationId: string }>(`/v1/events/${ids[2]}`)).body
    expect(await readAll(`/v1/events?correlationId=${correlationId}`, 100)).toMatchObject([{ eventId: ids[2] }])
    expect(await readAll(`/v1/events?correlationId=${correlationId}&userId=l1`, 100)).toEqual([])
    expect((await get<Page>('/v1/events')).body.data.length).toBeLessThanOrEqual(20)
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=',
    'cursor=x',
    'cursor=',
    'cursor=-1',
    'cursor=ZXZlbnRzOi0x',
    'from=x',
    'to=2026-02-30T00:00:00Z',
    'from=',
  ])('?%s is refused with 400', async (query) => {
    expectCode(await get(`/v1/events?${query}`), 400, 'request/invalid-query')
  })
})

describe('ids of another environment are not found, like unknown ones', () => {
  test('events, runs and campaigns are not found', async () => {
    const { eventId } = (await given.track({ name: 'back.end', userId: 'x1', properties: {} })).body
    const event = await get<{ runs: { runId: string }[] }>(`/v1/events/${eventId}`)
    const runId = event.body.runs[0]?.runId ?? ''
    const rows: [string, string, string][] = [
      ['/v1/events/', eventId, 'event/not-found'],
      ['/v1/runs/', runId, 'run/not-found'],
      ['/v1/campaigns/', campaignId, 'campaign/not-found'],
    ]
    for (const [path, id, code] of rows) {
      expect((await get(path + id)).status).toBe(200)
      const unknown = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
      for (const [foreign, as] of [
        [id, prodKey],
        [unknown, key],
        [id.toUpperCase().replace(/^.../, id.slice(0, 3)), key],
        [`${id}0`, key],
        [id.slice(0, -1), key],
        [id.slice(0, 4), key],
      ] as const) {
        const answer = await get(path + foreign, as)
        if (path + foreign === path + id && as === key) continue
        expectCode(answer, 404, code)
        expect(Object.keys(answer.body).sort()).toEqual(['code', 'correlationId', 'message'])
      }
    }
    expectCode(await get(`/v1/events/${eventId}/runs`, prodKey), 404, 'event/not-found')
    expectCode(await get(`/v1/campaigns/${campaignId}/stats`, prodKey), 404, 'campaign/not-found')
    expectCode(await get(`/v1/campaigns/${campaignId}/versions`, prodKey), 404, 'campaign/not-found')
    expectCode(await get(`/v1/campaigns/${campaignId}/versions/1`, prodKey), 404, 'campaign/not-found')
    for (const [action, body] of [
      ['preview', { stepId: 'tell' }],
      ['dry-run', {}],
      ['test', { userId: 'x1' }],
    ] as const) {
      expectCode(
        await given.call('POST', `/v1/campaigns/${campaignId}/${action}`, { key: prodKey, body }),
        404,
        'campaign/not-found',
      )
    }
    expect((await get<Page>('/v1/events?name=back.end', prodKey)).body.data).toEqual([])
  })

  test('users and topics are not found', async () => {
    await given.call('PUT', '/v1/users/shared', { key, body: { name: 'Dev' } })
    expectCode(await get('/v1/users/shared', prodKey), 404, 'user/not-found')
    expectCode(await given.call('DELETE', '/v1/users/shared', { key: prodKey }), 403, 'authorization/not-allowed')
    await given.call('PUT', '/v1/topics/team/subscribers', { key, body: { add: ['shared'] } })
    expect((await get<Page>('/v1/topics/team/subscribers', prodKey)).body).toEqual({ data: [], nextCursor: null })
    expect((await get('/v1/users/shared')).body.name).toBe('Dev')
  })

  test('a cursor of another list is refused', async () => {
    for (let index = 0; index < 2; index++) await given.track({ name: 'cur.sor', userId: 'u' })
    const { nextCursor } = (await get<Page>('/v1/events?name=cur.sor&limit=1')).body
    expectCode(await get(`/v1/campaigns?cursor=${nextCursor}`), 400, 'request/invalid-query')
  })
})

describe('users', () => {
  const put = (userId: string, body: unknown) =>
    given.call('PUT', `/v1/users/${encodeURIComponent(userId)}`, { key, body })

  test('attributes over 256 KiB after a merge are refused, by PUT and by events, and nothing is stored', async () => {
    const text = 'x'.repeat(60_000)
    const put = (name: string) => given.call('PUT', '/v1/users/grown', { key, body: { attributes: { [name]: text } } })
    for (const name of ['a', 'b', 'c', 'd']) expect((await put(name)).status).toBe(200)
    expectCode(await put('e'), 413, 'request/payload-too-large')
    const event = { name: 'back.end', userId: 'grown', idempotencyKey: 'grown', user: { attributes: { e: text } } }
    const track = { sdkSecretKey: key, ...event }
    expectCode(await given.call('POST', '/v1/events/track', { key, body: track }), 413, 'request/payload-too-large')
    const events = [{ name: 'back.end', userId: 'other' }, event]
    const batch = await given.call('POST', '/v1/events/track/batch', { key, body: { sdkSecretKey: key, events } })
    expect(batch).toMatchObject({
      status: 202,
      body: { results: [{ duplicate: false }, { code: 'request/payload-too-large' }] },
    })
    expect((await get<Page>('/v1/events?userId=grown')).body.data).toEqual([])
    expect(Object.keys((await get('/v1/users/grown')).body.attributes as object)).toEqual(['a', 'b', 'c', 'd'])
    const smaller = { ...track, user: { attributes: { a: null, e: 'now' } } }
    expect((await given.call('POST', '/v1/events/track', { key, body: smaller })).status).toBe(202)
  })

  test('a merge keeps what is absent and removes what is null', async () => {
    const userId = 'pro/file ü😀?#'
    expect(
      (
        await put(userId, {
          email: 'a@b.c',
          name: 'A',
          locale: 'de',
          timeZone: 'Europe/Berlin',
          attributes: { a: 1, b: { c: 2 } },
        })
      ).status,
    ).toBe(200)
    expect((await put(userId, { name: null, attributes: { a: null, d: [1] } })).status).toBe(200)
    const answer = await get(`/v1/users/${encodeURIComponent(userId)}`)
    expect(answer.body).toMatchObject({
      userId,
      email: 'a@b.c',
      name: null,
      locale: 'de',
      timeZone: 'Europe/Berlin',
      attributes: { b: { c: 2 }, d: [1] },
    })
    expect((await put(userId, { attributes: null, email: null })).body).toMatchObject({ email: null, attributes: {} })
  })

  test('an event changes the profile of its user', async () => {
    await given.track({ name: 'un.matched', userId: 'brought', user: { email: 'x@y.z', attributes: { plan: 'pro' } } })
    expect((await get('/v1/users/brought')).body).toMatchObject({
      userId: 'brought',
      email: 'x@y.z',
      attributes: { plan: 'pro' },
    })
  })

  test.each<[string, unknown]>([
    ['a list', []],
    ['a number for the email', { email: 1 }],
    ['a list for the attributes', { attributes: [] }],
    ['a NUL', { name: 'a\u0000' }],
  ])('%s is refused with 400', async (_what, body) => {
    expectCode(await put('refused', body), 400, 'request/invalid-body')
    expectCode(await get('/v1/users/refused'), 404, 'user/not-found')
  })

  test('an invalid id is refused, and names of the prototype are valid ids', async () => {
    expectCode(await put('u'.repeat(257), {}), 400, 'request/invalid-body')
    expectCode(await put('a\nb', {}), 400, 'request/invalid-body')
    for (const userId of ['__proto__', 'constructor', 'toString']) {
      expectCode(await get(`/v1/users/${userId}`), 404, 'user/not-found')
      expect((await put(userId, { name: 'N' })).status).toBe(200)
      expect((await given.track({ name: 'back.end', userId, properties: {} })).status).toBe(202)
      expect((await given.page(await given.signIn(userId))).data).toHaveLength(1)
    }
  })

  test('an erased user leaves only counters', async () => {
    const userId = 'erased'
    const tracked = await given.track({ name: 'back.end', userId, properties: { name: 'secret-of-erased' } })
    const session = await given.signIn(userId)
    const [message] = (await given.page(session)).data
    await given.register(session, [{ messageId: message?.id ?? '', eventType: 'clicked' }])
    await given.call('PUT', '/v1/topics/erasing/subscribers', { key, body: { add: [userId, 'stays'] } })
    const stats = await get(`/v1/campaigns/${campaignId}/stats`)
    expect((await given.call('DELETE', `/v1/users/${userId}`, { key })).status).toBe(200)
    expectCode(await get(`/v1/users/${userId}`), 404, 'user/not-found')
    expectCode(await given.call('DELETE', `/v1/users/${userId}`, { key }), 404, 'user/not-found')
    expectCode(await given.call('GET', '/v1/inbox/messages', { session }), 401, 'auth/invalid-session')
    expect((await get<Page>('/v1/topics/erasing/subscribers')).body.data).toEqual(['stays'])
    expect((await get<Page>(`/v1/events?userId=${userId}`)).body.data).toEqual([])
    expectCode(await get(`/v1/events/${tracked.body.eventId}`), 404, 'event/not-found')
    expect((await get(`/v1/campaigns/${campaignId}/stats`)).body).toEqual(stats.body)
    const newSession = await given.signIn(userId)
    expect(newSession.inbox).toMatchObject({ unread: 0, unopened: 0 })
    expect(newSession.inbox.epoch).not.toBe(session.inbox.epoch)
    expect((await given.page(newSession)).data).toEqual([])
  })

  test('a sign-out ends all sessions of the user and returns their number', async () => {
    const sessions = [await given.signIn('out'), await given.signIn('out')]
    expect(await given.call('POST', '/v1/users/out/sign-out', { key: prodKey })).toMatchObject({
      status: 404,
      body: { code: 'user/not-found' },
    })
    expect(await given.call('POST', '/v1/users/out/sign-out', { key })).toMatchObject({
      status: 200,
      body: { ended: 2 },
    })
    for (const session of sessions)
      expectCode(await given.call('GET', '/v1/inbox/messages', { session }), 401, 'auth/invalid-session')
    expect((await given.call('POST', '/v1/users/out/sign-out', { key })).body).toEqual({ ended: 0 })
  })

  test('a backend marks messages as read elsewhere, without a delivery event', async () => {
    const id = await given.publish({
      ...inboxCampaign('entity', 'enti.ty'),
      steps: [{ id: 'tell', type: 'inbox', title: 'T', entity: 'order:{{ event.properties.n }}' }],
    })
    for (const n of [1, 1, 2, 3]) await given.track({ name: 'enti.ty', userId: 'seen', properties: { n } })
    const session = await given.signIn('seen')
    const mark = (body: unknown, as = key) => given.call('POST', '/v1/users/seen/inbox/mark-read', { key: as, body })
    expect(await mark({ entity: 'order:1' })).toMatchObject({ status: 200, body: { marked: 2 } })
    expect((await mark({ entity: 'order:1' })).body).toEqual({ marked: 0 })
    const { data } = await given.page(session)
    expect((await mark({ messageIds: [data[0]?.id, 'msg_nothing', data[0]?.id] })).body).toEqual({ marked: 1 })
    const { inbox, data: after } = await given.page(session)
    expect(inbox).toMatchObject({ unread: 1, unopened: 1 })
    expect(after.filter(({ unopened }) => unopened)).toHaveLength(1)
    expect(after.every(({ readAt, openedAt }) => readAt === null && openedAt === null)).toBe(true)
    expect(
      (await get<{ steps: { count: number }[] }>(`/v1/campaigns/${id}/stats`)).body.steps.map(({ count }) => count),
    ).toEqual([4, 0, 0, 0])
    for (const body of [
      {},
      { entity: '' },
      { entity: 'a', messageIds: ['b'] },
      { messageIds: [] },
      { messageIds: 'x' },
    ]) {
      expectCode(await mark(body), 400, 'request/invalid-body')
    }
    expectCode(await mark({ entity: 'order:3' }, prodKey), 404, 'user/not-found')
  })
})

describe('topics', () => {
  const change = (topic: string, body: unknown) =>
    given.call('PUT', `/v1/topics/${encodeURIComponent(topic)}/subscribers`, { key, body })

  test('subscribers are added once, removed, and listed newest first by pages', async () => {
    expect((await change('news', { add: ['a', 'b', 'c', 'a'] })).status).toBe(200)
    expect((await change('news', { add: ['d', 'b'], remove: ['a', 'nobody'] })).status).toBe(200)
    expect(await readAll('/v1/topics/news/subscribers', 2)).toEqual(['d', 'c', 'b'])
  })

  test('an event reaches each subscriber, at once up to 50 and by jobs beyond', async () => {
    await change('small', { add: Array.from({ length: 50 }, (_, i) => `small${i}`) })
    await change('large', { add: Array.from({ length: 51 }, (_, i) => `large${i}`) })
    const small = await given.track({ name: 'back.end', topic: 'small', properties: {} })
    const large = await given.track({ name: 'back.end', topic: 'large', properties: {} })
    expect((await get(`/v1/events/${small.body.eventId}`)).body.outcome).toBe('matched')
    expect((await given.page(await given.signIn('small49'))).data).toHaveLength(1)
    await expect.poll(async () => (await readAll(`/v1/events/${large.body.eventId}/runs`, 100)).length).toBe(51)
    expect((await get(`/v1/events/${large.body.eventId}`)).body.outcome).toBe('fanned-out')
    expect((await given.page(await given.signIn('large50'))).data).toHaveLength(1)
  })

  test.each<[string, unknown]>([
    ['1,001 changes', { add: Array.from({ length: 1001 }, (_, i) => `t${i}`) }],
    [
      '1,001 in both',
      { add: Array.from({ length: 500 }, (_, i) => `t${i}`), remove: Array.from({ length: 501 }, (_, i) => `r${i}`) },
    ],
    ['an empty id', { add: [''] }],
    ['a number', { add: [1] }],
    ['a text for the list', { add: 'a' }],
  ])('%s is refused with 400', async (_what, body) => {
    expectCode(await change('refused', body), 400, 'request/invalid-body')
  })

  test('1,000 changes are accepted', async () => {
    expect((await change('thousand', { add: Array.from({ length: 1000 }, (_, i) => `t${i}`) })).status).toBe(200)
  })
})
