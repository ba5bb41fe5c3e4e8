// Tests the reads of users for operators: search, topics, the inbox of a user, the export, and the audit of changes.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InboxPage, Page } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let admin: DashboardPerson
let path: string
let key: string
beforeAll(async () => {
  given = await givenEdge()
  dashboard = givenDashboard(given)
  admin = await dashboard.join(given.demo.organisation.id, 'admin@example.com', 'admin')
  path = `/v1/dashboard/environments/${given.demo.environments.dev.id}`
  key = given.demo.environments.dev.sdkSecretKey
  await given.publish(inboxCampaign('hello', 'hello'))
})
afterAll(() => given.stop())

const put = (userId: string, body: object) => given.call('PUT', `/v1/users/${userId}`, { key, body })

test('users are found by the beginning of id, e-mail or name, page by page, by keys and people', async () => {
  for (const n of [1, 2, 3]) await put(`find-${n}`, { email: `person${n}@example.com`, name: `Name ${n}` })
  await put('other', { email: 'FIND@example.com' })
  await put('third', { name: 'Find me' })
  const search = async (query: string) =>
    (await given.call<Page<{ userId: string }>>('GET', `/v1/users${query}`, { key })).body
  const idsOf = ({ data }: Page<{ userId: string }>) => data.map(({ userId }) => userId)
  expect(idsOf(await search('?q=find'))).toEqual(['find-1', 'find-2', 'find-3', 'other', 'third'])
  expect(idsOf(await search('?q=PERSON2'))).toEqual(['find-2'])
  expect(idsOf(await search('?q=name%203'))).toEqual(['find-3'])
  expect(idsOf(await search('?q=nobody'))).toEqual([])
  expect(idsOf(await search('?limit=2'))).toEqual(['third', 'other'])
  const pages: string[][] = []
  let cursor = ''
  do {
    const page = await search(`?q=find&limit=2${cursor}`)
    pages.push(idsOf(page))
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
  } while (cursor !== '')
  expect(pages).toEqual([['find-1', 'find-2'], ['find-3', 'other'], ['third']])
  expect((await admin.call('GET', `${path}/users?q=find&limit=5`)).body).toEqual(await search('?q=find&limit=5'))
  const { nextCursor } = await search('?limit=1')
  expect(outcomeOf(await given.call('GET', `/v1/users?q=find&cursor=${nextCursor}`, { key }))).toBe(
    '400 request/invalid-query',
  )
})

test('topics are listed and found by the beginning of their key', async () => {
  for (const topic of ['news-1', 'news-2', 'offers']) {
    await given.call('PUT', `/v1/topics/${topic}/subscribers`, { key, body: { add: ['a', 'b'] } })
  }
  const topics = async (query: string) =>
    (await given.call<Page<{ key: string; subscribers: number }>>('GET', `/v1/topics${query}`, { key })).body
  expect((await topics('?limit=2')).data).toMatchObject([{ key: 'offers', subscribers: 2 }, { key: 'news-2' }])
  const first = await topics('?q=news&limit=1')
  expect(first.data).toMatchObject([{ key: 'news-1', subscribers: 2, subscribersCapped: false }])
  expect(await topics(`?q=news&limit=1&cursor=${first.nextCursor}`)).toMatchObject({
    data: [{ key: 'news-2' }],
    nextCursor: null,
  })
})

describe('a user with messages', () => {
  beforeAll(async () => {
    await put('ann', { email: 'ann@example.com', name: 'Ann' })
    await given.track({ name: 'hello', userId: 'ann', properties: { name: 'one' } })
    await given.track({ name: 'hello', userIds: ['ann', 'someone-else'], properties: { name: 'two' } })
    await given.call('PUT', '/v1/topics/letters/subscribers', { key, body: { add: ['ann'] } })
  })

  test('has the inbox that operators read, without a delivery event', async () => {
    const session = await given.signIn('ann')
    const read = (query = '') => admin.call<InboxPage>('GET', `${path}/users/ann/inbox${query}`)
    await expect.poll(async () => (await read()).body.data).toHaveLength(2)
    expect((await read()).body).toEqual(await given.page(session))
    const first = (await read('?limit=1')).body
    expect((await read(`?limit=1&cursor=${first.nextCursor}`)).body.data).toMatchObject([{ title: 'Hello one' }])
    await given.call('PATCH', `/v1/inbox/messages/${first.data[0]?.id}`, { session, body: { archived: true } })
    expect((await read('?filter=archived')).body.data.map(({ title }) => title)).toEqual(['Hello two'])
    const detail = await admin.call<{ timeline: { eventType: string }[] }>(
      'GET',
      `${path}/deliveries/${first.data[0]?.id}`,
    )
    expect(detail.body.timeline.map(({ eventType }) => eventType)).toEqual(['send'])
    expect(outcomeOf(await admin.call('GET', `${path}/users/nobody/inbox`))).toBe('404 user/not-found')
  })

  test('has the preferences that operators read', async () => {
    const session = await given.signIn('ann')
    const quietHours = { start: '22:00', end: '07:00', timeZone: 'Europe/Paris' }
    await given.call('PUT', '/v1/inbox/preferences', { session, body: { quietHours } })
    const own = await given.call('GET', '/v1/inbox/preferences', { session })
    expect(own.body).toMatchObject({ quietHours })
    expect((await admin.call('GET', `${path}/users/ann/preferences`)).body).toEqual(own.body)
    expect(outcomeOf(await admin.call('GET', `${path}/users/nobody/preferences`))).toBe('404 user/not-found')
    await given.call('PUT', '/v1/inbox/preferences', { session, body: { quietHours: null } })
  })

  test('is exported as one document, without other users, and with a record of it', async () => {
    const answer = await admin.call<Record<string, object[]>>('GET', `${path}/users/ann/export`)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="user.json"')
    expect(answer.body).toMatchObject({
      environment: given.demo.environments.dev.id,
      user: { userId: 'ann', email: 'ann@example.com', name: 'Ann' },
      preferences: { choices: {}, quietHours: null },
      topics: ['letters'],
      suppressions: [],
    })
    expect(answer.body.events).toMatchObject([
      { name: 'hello', userId: null, userIds: ['ann'], properties: { name: 'two' }, runs: [{ userId: 'ann' }] },
      { name: 'hello', userId: 'ann', userIds: null, properties: { name: 'one' } },
    ])
    expect(answer.body.deliveries).toMatchObject([
      { snapshot: { title: 'Hello two' }, timeline: [{ eventType: 'send' }] },
      { snapshot: { title: 'Hello one' } },
    ])
    expect(JSON.stringify(answer.body)).not.toContain('someone-else')
    const editor = await dashboard.join(given.demo.organisation.id, 'editor@example.com', 'editor')
    expect(outcomeOf(await editor.call('GET', `${path}/users/ann/export`))).toBe('403 authorization/not-allowed role')
    expect(outcomeOf(await admin.call('GET', `${path}/users/nobody/export`))).toBe('404 user/not-found')
    const entries = await dashboard.cli.json<object[]>('audit list --action user.export')
    expect(entries).toMatchObject([{ actor: 'dashboard', who: admin.email, subject: 'ann' }])
  })
})

test('changes of profiles and topics by people are in the audit log, those of a key are not', async () => {
  await put('quiet', { name: 'By key' })
  await admin.call('PUT', `${path}/users/loud`, { body: { name: 'Before' } })
  await admin.call('PUT', `${path}/users/loud`, { body: { name: 'After', attributes: { plan: 'pro' } } })
  await admin.call('PUT', `${path}/topics/loud-topic/subscribers`, { body: { add: ['loud'] } })
  await dashboard.cli.json(`user change --env ${given.demo.environments.dev.id} --user loud --name Later`)
  const read = () =>
    dashboard.cli.json<{ action: string; who: string; subject: string; detail: { difference?: string } }[]>(
      `audit list --env ${given.demo.environments.dev.id}`,
    )
  const entries = (await read()).filter(({ action }) => action !== 'user.export' && !action.startsWith('campaign'))
  expect(entries.slice(0, 4)).toMatchObject([
    { action: 'user.change', subject: 'loud', detail: { difference: '~ name: "After" → "Later"' } },
    { action: 'topic.change', subject: 'loud-topic', who: admin.email, detail: { difference: '+ loud' } },
    { action: 'user.change', detail: { difference: expect.stringContaining('~ name: "Before" → "After"') } },
    { action: 'user.create', subject: 'loud', who: admin.email },
  ])
  expect(JSON.stringify(await read())).not.toContain('By key')
  await admin.call('DELETE', `${path}/users/loud`)
  const left = JSON.stringify(await read())
  expect(left).not.toContain('Before')
  expect(left).toContain('+ a user')
})

test('suppressions of a user or an address are added, listed and removed, with an entry for people', async () => {
  const ask = (method: string, query = '', body?: object) =>
    admin.call(method, `${path}/suppressions${query}`, body === undefined ? {} : { body })
  expect((await ask('POST', '', { userId: 'sue', channel: 'inbox' })).body).toEqual({ added: true })
  expect((await ask('POST', '', { userId: 'sue', channel: 'inbox', reason: 'bounce' })).body).toEqual({ added: false })
  expect((await ask('POST', '', { address: 'sue@example.com', reason: 'complaint' })).body).toEqual({ added: true })
  expect(outcomeOf(await ask('POST', '', { address: 'sue@example.com', channel: 'inbox' }))).toBe(
    '400 request/invalid-body',
  )
  expect(outcomeOf(await ask('POST', '', { channel: 'inbox' }))).toBe('400 request/invalid-body')
  expect(outcomeOf(await ask('GET'))).toBe('400 request/invalid-query')
  expect((await ask('GET', '?userId=sue')).body).toMatchObject({ data: [{ channel: 'inbox', reason: 'manual' }] })
  // Addresses are compared without case.
  expect((await ask('GET', '?address=SUE@example.com')).body).toMatchObject({
    data: [{ channel: 'email', reason: 'complaint' }],
  })
  await given.track({ name: 'hello', userId: 'sue', properties: { name: 'Sue' } })
  const query = `${path}/deliveries?userId=sue`
  const statuses = async () =>
    (await admin.call<Page<{ status: string; statusReason: string }>>('GET', query)).body.data.map(
      ({ status, statusReason }) => `${status} ${statusReason}`,
    )
  await expect.poll(statuses).toEqual(['skipped suppressed'])
  expect((await admin.call('GET', `${path}/stats`)).body).toMatchObject({ outcomes: { skipped: { suppressed: 1 } } })
  expect((await ask('DELETE', '?userId=sue&channel=inbox')).body).toEqual({ deleted: true })
  expect((await ask('DELETE', '?userId=sue&channel=inbox')).body).toEqual({ deleted: false })
  const entries = await dashboard.cli.json<object[]>('audit list --action suppression')
  expect(entries).toMatchObject([
    { action: 'suppression.remove', who: admin.email, subject: 'sue' },
    { action: 'suppression.add', subject: 'an address', detail: { channel: 'email', reason: 'complaint' } },
    { action: 'suppression.add', subject: 'sue', detail: { channel: 'inbox', reason: 'manual' } },
  ])
})

test('statistics over time and over all campaigns agree with the funnel', async () => {
  const campaignId = await given.publish(inboxCampaign('counted', 'counted'))
  const second = await given.publish(inboxCampaign('counted-2', 'counted-2'))
  await given.track({ name: 'counted', userIds: ['s1', 's2', 's3'] })
  await given.track({ name: 'counted-2', userId: 's1' })
  const session = await given.signIn('s2')
  await expect.poll(async () => (await given.page(session)).data).toHaveLength(1)
  const messageId = (await given.page(session)).data[0]?.id ?? ''
  await given.register(session, [{ messageId, eventType: 'read' }])
  const stats = async <T>(query: string) => (await admin.call<T>('GET', `${path}/${query}`)).body
  interface Series {
    unit: string
    points: { at: string; delivery: number; read: number }[]
  }
  for (const [window, unit, least] of [
    ['24h', 'hour', 25],
    ['7d', 'hour', 169],
    ['30d', 'day', 31],
    ['all', 'day', 1],
  ] as const) {
    const { points, ...rest } = await stats<Series>(`campaigns/${campaignId}/stats/series?window=${window}`)
    expect(rest).toEqual({ window, channel: 'inbox', unit })
    expect(points.length).toBeGreaterThanOrEqual(least)
    const sum = (of: 'delivery' | 'read') => points.reduce((total, point) => total + point[of], 0)
    expect([sum('delivery'), sum('read')]).toEqual([3, 1])
    expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).sort())
  }
  type Funnel = { steps: { step: string; count: number }[]; outcomes?: object }
  const countsOf = ({ steps }: Funnel) => steps.map(({ count }) => count)
  const single = await Promise.all([campaignId, second].map((id) => stats<Funnel>(`campaigns/${id}/stats`)))
  const hello = await given.call<Page<{ id: string; key: string }>>('GET', '/v1/campaigns?limit=100', { key })
  const helloId = hello.body.data.find((campaign) => campaign.key === 'hello')?.id ?? ''
  const all = [...single, await stats<Funnel>(`campaigns/${helloId}/stats`)].map(countsOf)
  const total = await stats<Funnel>('stats?window=30d')
  expect(countsOf(total)).toEqual([0, 1, 2, 3].map((at) => all.reduce((sum, counts) => sum + (counts[at] ?? 0), 0)))
  expect(total.outcomes).toEqual({ skipped: { suppressed: 1 }, failed: {} })
  const { points, previous } = await stats<Series & { previous: object | null }>('stats/series?window=30d')
  expect(points.reduce((sum, { delivery }) => sum + delivery, 0)).toBe(countsOf(total)[0])
  expect(previous).toEqual({ delivery: 0, read: 0, opened: 0, clicked: 0 })
  expect(await stats('stats/series?window=all')).toMatchObject({ previous: null })
  const suppressed = await stats<Page<{ userId: string }>>('deliveries?statusReason=suppressed')
  expect(suppressed.data.map(({ userId }) => userId)).toEqual(['sue'])
  expect(outcomeOf(await admin.call('GET', `${path}/campaigns/cmp_00000000000/stats/series`))).toBe(
    '404 campaign/not-found',
  )
})
