// Tests users, topics and campaigns over HTTP: answers, refusals, and isolation of environments.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../../test/support/given.ts'

let given: GivenEdge
let key: string
let prodKey: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  prodKey = given.demo.environments.prod.sdkSecretKey
})
afterAll(() => given.stop())

const call = (method: string, path: string, body?: unknown, as = key) =>
  given.call(method, path, { key: as, ...(body === undefined ? {} : { body }) })

describe('every management path', () => {
  const paths: [string, string][] = [
    ['GET', '/v1/events'],
    ['GET', '/v1/events/evt_00000000000'],
    ['GET', '/v1/events/evt_00000000000/runs'],
    ['GET', '/v1/runs/run_00000000000'],
    ['GET', '/v1/users/u_1'],
    ['PUT', '/v1/users/u_1'],
    ['DELETE', '/v1/users/u_1'],
    ['POST', '/v1/users/u_1/sign-out'],
    ['POST', '/v1/users/u_1/inbox/mark-read'],
    ['GET', '/v1/topics/t/subscribers'],
    ['PUT', '/v1/topics/t/subscribers'],
    ['GET', '/v1/campaigns'],
    ['POST', '/v1/campaigns'],
    ['GET', '/v1/campaigns/cmp_00000000000'],
    ['PUT', '/v1/campaigns/cmp_00000000000'],
    ['POST', '/v1/campaigns/cmp_00000000000/publish'],
    ['POST', '/v1/campaigns/cmp_00000000000/pause'],
    ['POST', '/v1/campaigns/cmp_00000000000/resume'],
    ['POST', '/v1/campaigns/cmp_00000000000/archive'],
    ['POST', '/v1/campaigns/cmp_00000000000/preview'],
    ['POST', '/v1/campaigns/cmp_00000000000/test'],
    ['POST', '/v1/campaigns/cmp_00000000000/dry-run'],
    ['GET', '/v1/campaigns/cmp_00000000000/versions'],
    ['GET', '/v1/campaigns/cmp_00000000000/versions/1'],
    ['GET', '/v1/campaigns/cmp_00000000000/stats'],
  ]
  test.each(paths)('%s %s requires a key', async (method, path) => {
    expect(await given.call(method, path)).toMatchObject({ status: 401, body: { code: 'auth/tracking-secret-key' } })
    expect(await call(method, path, undefined, 'nc_sdk_eu_unknown')).toMatchObject({
      status: 403,
      body: { code: 'auth/invalid-authorization' },
    })
    const session = await given.signIn('u_session')
    expect(await given.call(method, path, { session })).toMatchObject({ status: 403 })
  })

  test.each(paths.filter(([, path]) => path.includes('cmp_')))(
    '%s %s of an unknown campaign is 404',
    async (method, path) => {
      const bodies: Record<string, unknown> = {
        PUT: inboxCampaign('none', 'a.b'),
        preview: { stepId: 'tell' },
        test: { userId: 'u' },
        'dry-run': {},
      }
      const body = bodies[method] ?? bodies[path.split('/').at(-1) as string]
      expect(await call(method, path, body)).toMatchObject({ status: 404, body: { code: 'campaign/not-found' } })
    },
  )
})

describe('users', () => {
  test('a profile is created, merged and read; null removes', async () => {
    const created = await call('PUT', '/v1/users/u_ada', {
      email: 'ada@example.com',
      attributes: { plan: 'pro', old: 1 },
      unknown: 1,
    })
    expect(created).toMatchObject({ status: 200, body: { userId: 'u_ada', email: 'ada@example.com', name: null } })
    const merged = await call('PUT', '/v1/users/u_ada', {
      email: null,
      name: 'Ada',
      attributes: { old: null, seats: 3 },
    })
    expect(merged.body).toMatchObject({ email: null, name: 'Ada', attributes: { plan: 'pro', seats: 3 } })
    expect(merged.body).not.toHaveProperty('unknown')
    expect(merged.body).not.toHaveProperty('userNo')
    expect((await call('GET', '/v1/users/u_ada')).body).toEqual(merged.body)
  })

  test('an id is percent-decoded, and not found in another environment', async () => {
    const path = `/v1/users/${encodeURIComponent('team/ada?#%')}`
    expect((await call('PUT', path, {})).body.userId).toBe('team/ada?#%')
    expect((await call('GET', path)).body.userId).toBe('team/ada?#%')
    expect(await call('GET', path, undefined, prodKey)).toMatchObject({ status: 404, body: { code: 'user/not-found' } })
  })

  test.each([
    ['%00', {}],
    ['x'.repeat(257), {}],
    ['u_bad', { email: 1 }],
    ['u_bad', { name: 'a\nb' }],
    ['u_bad', { attributes: [] }],
  ])('PUT of %s with %j is 400 and creates no user', async (userId, body) => {
    expect(await call('PUT', `/v1/users/${userId}`, body)).toMatchObject({
      status: 400,
      body: { code: 'request/invalid-body' },
    })
    expect((await call('GET', `/v1/users/${userId}`)).status).toBe(404)
  })

  test('an erased user is not found, and their sessions have ended', async () => {
    const session = await given.signIn('u_gone')
    expect((await call('DELETE', '/v1/users/u_gone')).status).toBe(200)
    expect(await call('GET', '/v1/users/u_gone')).toMatchObject({ status: 404, body: { code: 'user/not-found' } })
    expect(await call('DELETE', '/v1/users/u_gone')).toMatchObject({ status: 404 })
    expect(await given.call('GET', '/v1/inbox/messages', { session })).toMatchObject({
      status: 401,
      body: { code: 'auth/invalid-session' },
    })
  })

  test('signing out ends all sessions and answers their number', async () => {
    const sessions = [await given.signIn('u_out'), await given.signIn('u_out')]
    expect((await call('POST', '/v1/users/u_out/sign-out')).body).toEqual({ ended: 2 })
    for (const session of sessions) {
      expect((await given.call('GET', '/v1/inbox/messages', { session })).status).toBe(401)
    }
    expect((await call('POST', '/v1/users/u_out/sign-out')).body).toEqual({ ended: 0 })
    expect((await call('POST', '/v1/users/u_nobody/sign-out')).status).toBe(404)
  })

  test('a backend marks messages as read', async () => {
    await given.publish(
      inboxCampaign('marked', 'marked.event', {
        steps: [{ id: 'tell', type: 'inbox', title: 'x', entity: 'order:1' }],
      }),
    )
    await given.track({ name: 'marked.event', userId: 'u_mark' })
    expect((await call('POST', '/v1/users/u_mark/inbox/mark-read', { entity: 'order:1' })).body).toEqual({ marked: 1 })
    expect((await call('POST', '/v1/users/u_mark/inbox/mark-read', { entity: 'order:1' })).body).toEqual({ marked: 0 })
    for (const body of [{}, { entity: 1 }, { messageIds: [] }, { entity: 'a', messageIds: ['b'] }]) {
      expect(await call('POST', '/v1/users/u_mark/inbox/mark-read', body)).toMatchObject({
        status: 400,
        body: { code: 'request/invalid-body' },
      })
    }
  })
})

describe('topics', () => {
  test('subscribers are added, removed and paged', async () => {
    const add = Array.from({ length: 5 }, (_, at) => `s_${at}`)
    expect((await call('PUT', '/v1/topics/news/subscribers', { add: [...add, 's_0'] })).status).toBe(200)
    expect((await call('PUT', '/v1/topics/news/subscribers', { remove: ['s_1', 's_unknown'] })).status).toBe(200)
    const first = await call('GET', '/v1/topics/news/subscribers?limit=3')
    expect(first.body).toEqual({ data: ['s_4', 's_3', 's_2'], nextCursor: expect.any(String) })
    const second = await call('GET', `/v1/topics/news/subscribers?limit=3&cursor=${first.body.nextCursor}`)
    expect(second.body).toEqual({ data: ['s_0'], nextCursor: null })
    expect((await call('GET', '/v1/topics/unknown/subscribers')).body).toEqual({ data: [], nextCursor: null })
    expect((await call('GET', '/v1/topics/news/subscribers', undefined, prodKey)).body).toEqual({
      data: [],
      nextCursor: null,
    })
  })

  test.each([
    [{ add: ['a'], remove: ['a'] }],
    [{ add: [''] }],
    [{ add: [1] }],
    [{ add: 'a' }],
    [
      {
        add: Array.from({ length: 600 }, (_, at) => `a${at}`),
        remove: Array.from({ length: 401 }, (_, at) => `r${at}`),
      },
    ],
  ])('an invalid change is 400 and changes nothing', async (body) => {
    expect(await call('PUT', '/v1/topics/untouched/subscribers', body)).toMatchObject({
      status: 400,
      body: { code: 'request/invalid-body' },
    })
    expect((await call('GET', '/v1/topics/untouched/subscribers')).body.data).toEqual([])
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=',
    'limit=1.5',
    'cursor=x',
    'cursor=',
    `cursor=${Buffer.from('events:1').toString('base64url')}`,
  ])('the query %s is 400', async (query) => {
    expect(await call('GET', `/v1/topics/news/subscribers?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'request/invalid-query' },
    })
  })
})

describe('campaigns', () => {
  test('a campaign passes all states from draft to archived', async () => {
    const created = await call('POST', '/v1/campaigns', inboxCampaign('its-way', 'its.way'))
    expect(created).toMatchObject({ status: 201, body: { key: 'its-way', status: 'draft', currentVersion: null } })
    const path = `/v1/campaigns/${created.body.id}`
    expect((await call('POST', `${path}/publish`)).body).toMatchObject({ status: 'active', currentVersion: 1 })
    expect((await call('POST', `${path}/pause`)).body).toMatchObject({ status: 'paused' })
    expect(await call('POST', `${path}/pause`)).toMatchObject({
      status: 409,
      body: { code: 'campaign/invalid-transition', from: 'paused', to: 'paused' },
    })
    expect((await call('POST', `${path}/resume`)).body).toMatchObject({ status: 'active' })
    expect((await call('PUT', path, inboxCampaign('its-way', 'its.way', { name: 'Renamed' }))).body).toMatchObject({
      draft: { name: 'Renamed' },
    })
    expect((await call('POST', `${path}/publish`)).body).toMatchObject({ currentVersion: 2 })
    expect((await call('GET', `${path}/versions`)).body).toMatchObject({
      data: [{ version: 2 }, { version: 1 }],
      nextCursor: null,
    })
    expect((await call('GET', `${path}/versions/1`)).body).toMatchObject({
      version: 1,
      definition: { name: 'its-way' },
    })
    for (const version of ['3', '0', 'x', '1.0', '-1']) {
      expect(await call('GET', `${path}/versions/${version}`)).toMatchObject({
        status: 404,
        body: { code: 'campaign/not-found' },
      })
    }
    expect((await call('POST', `${path}/archive?drain=true`)).body).toMatchObject({ status: 'archived' })
    expect((await call('GET', path)).body).toMatchObject({ status: 'archived' })
  })

  test('a key is unique in an environment', async () => {
    expect((await call('POST', '/v1/campaigns', inboxCampaign('taken', 'a.b'))).status).toBe(201)
    expect(await call('POST', '/v1/campaigns', inboxCampaign('taken', 'a.b'))).toMatchObject({
      status: 409,
      body: { code: 'campaign/key-taken' },
    })
  })

  test('an error in the definition has its path and position, and nothing is stored', async () => {
    const before = (await call('GET', '/v1/campaigns?limit=100')).body.data
    const answer = await call(
      'POST',
      '/v1/campaigns',
      inboxCampaign('faulty', 'a.b', { steps: [{ id: 'tell', type: 'inbox', title: 'Hi {{ event. }' }] }),
    )
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'campaign/invalid-definition',
        details: [{ path: 'steps[0].title', position: expect.any(Number) }],
      },
    })
    expect((await call('GET', '/v1/campaigns?limit=100')).body.data).toEqual(before)
  })

  test('keys of production may read, preview and track, but not change campaigns', async () => {
    const refused = { status: 403, body: { code: 'authorization/not-allowed' } }
    expect(await call('POST', '/v1/campaigns', inboxCampaign('no', 'a.b'), prodKey)).toMatchObject(refused)
    const path = '/v1/campaigns/cmp_00000000000'
    for (const action of ['publish', 'pause', 'resume', 'archive']) {
      expect(await call('POST', `${path}/${action}`, undefined, prodKey)).toMatchObject(refused)
    }
    expect(await call('PUT', path, inboxCampaign('no', 'a.b'), prodKey)).toMatchObject(refused)
    const unknown = { status: 404, body: { code: 'campaign/not-found' } }
    expect(await call('GET', `${path}/stats`, undefined, prodKey)).toMatchObject(unknown)
    expect(await call('POST', `${path}/preview`, { stepId: 'tell' }, prodKey)).toMatchObject(unknown)
    expect((await call('GET', '/v1/campaigns', undefined, prodKey)).body).toEqual({ data: [], nextCursor: null })
    expect((await given.track({ name: 'a.b', userId: 'u' }, 'prod')).status).toBe(202)
  })

  test('a preview renders a message, a dry run lists steps, a test sends and is not counted', async () => {
    const id = await given.publish(
      inboxCampaign('tried', 'tried.event', { trigger: { event: 'tried.event', where: 'event.properties.total > 5' } }),
    )
    const path = `/v1/campaigns/${id}`
    const event = { properties: { name: '<b>Ada</b>', total: 9 } }
    expect((await call('POST', `${path}/preview`, { stepId: 'tell', event })).body).toMatchObject({
      title: 'Hello <b>Ada</b>',
      link: '/somewhere',
    })
    expect((await call('POST', `${path}/dry-run`, { event, user: {} })).body).toMatchObject({
      matched: true,
      steps: [{ stepId: 'tell', type: 'inbox' }],
    })
    expect((await call('POST', `${path}/dry-run`, { event: { properties: { total: 1 } } })).body).toMatchObject({
      matched: false,
      reason: expect.any(String),
    })
    const sent = await call('POST', `${path}/test`, { userId: 'u_tester', event })
    expect(sent).toMatchObject({ status: 200, body: { messageIds: [expect.stringMatching(/^msg_/)] } })
    const stats = await call('GET', `${path}/stats`)
    expect((stats.body.steps as { count: number }[]).map((step) => step.count)).toEqual([0, 0, 0, 0])
    for (const [action, body] of [
      ['preview', { event }],
      ['preview', { stepId: 1 }],
      ['test', { event }],
      ['test', { userId: 'a\nb' }],
    ] as const) {
      expect(await call('POST', `${path}/${action}`, body)).toMatchObject({
        status: 400,
        body: { code: 'request/invalid-body' },
      })
    }
  })

  test('the funnel accepts windows and channels, and nc for inbox', async () => {
    const id = await given.publish(inboxCampaign('windows', 'windows.event'))
    expect((await call('GET', `/v1/campaigns/${id}/stats`)).body).toMatchObject({ window: 'all', channel: 'inbox' })
    expect((await call('GET', `/v1/campaigns/${id}/stats?channel=nc&window=24h`)).body).toMatchObject({
      window: '24h',
      channel: 'inbox',
    })
    expect((await call('GET', `/v1/campaigns/${id}/stats?channel=email`)).body).toMatchObject({ channel: 'email' })
    for (const query of ['window=1h', 'channel=unknown']) {
      expect(await call('GET', `/v1/campaigns/${id}/stats?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'request/invalid-query' },
      })
    }
  })
})
