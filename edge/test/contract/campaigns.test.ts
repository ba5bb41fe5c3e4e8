// Tests campaigns over HTTP: statuses, versions, definitions, conditions, templates, preview, test, dry run, funnel.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FunnelAnswer, InboxMessage } from '../../../contract/api.ts'
import { type Answer, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let key: string
/** A message that expires while the other tests run. */
let expiring: InboxMessage | undefined
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  const steps = [step({ id: 'stays' }), step({ expiresAfter: 'PT5S' })]
  await given.publish({ ...inboxCampaign('expires', 'ex.pires'), steps })
  await given.track({ name: 'ex.pires', userId: 'ex' })
  expiring = (await given.page(await given.signIn('ex'))).data[0]
})
afterAll(() => given.stop())

interface Campaign {
  id: string
  status: string
  currentVersion: number | null
  draft: Record<string, unknown>
  [field: string]: unknown
}
const call = <T = Campaign>(method: string, path: string, body?: unknown, as = key) =>
  given.call<T>(method, path, { key: as, ...(body === undefined ? {} : { body }) })
const act = (id: string, action: string, body?: unknown) =>
  call<Campaign>('POST', `/v1/campaigns/${id}/${action}`, body)
const expectCode = (answer: Answer<unknown>, status: number, code: string) =>
  expect([answer.status, (answer.body as { code: string }).code]).toEqual([status, code])
const create = async (definition: Record<string, unknown>) => (await call('POST', '/v1/campaigns', definition)).body.id
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const step = (fields: Record<string, unknown> = {}) => ({ id: 'tell', type: 'inbox', title: 'T', ...fields })

describe('a campaign', () => {
  test('goes from draft to archive, and refuses actions that its status does not allow', async () => {
    const created = await call('POST', '/v1/campaigns', inboxCampaign('way', 'way.went', { category: 'c' }))
    expect(created.status).toBe(201)
    const { id } = created.body
    expect(created.body).toEqual({
      id: expect.stringMatching(/^cmp_[A-Za-z0-9_-]+$/),
      key: 'way',
      name: 'way',
      category: 'c',
      status: 'draft',
      currentVersion: null,
      revision: 0,
      draft: expect.objectContaining({ key: 'way', trigger: { event: 'way.went' } }),
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
      warnings: [],
    })
    const expectRefused = async (action: string, from: string, to: string) => {
      const answer = await act(id, action)
      expectCode(answer, 409, 'campaign/invalid-transition')
      expect(answer.body).toMatchObject({ from, to })
    }
    await expectRefused('pause', 'draft', 'paused')
    await expectRefused('resume', 'draft', 'active')
    expect((await act(id, 'publish')).body).toMatchObject({ id, status: 'active', currentVersion: 1 })
    await expectRefused('resume', 'active', 'active')
    expect((await act(id, 'pause')).body).toMatchObject({ status: 'paused', currentVersion: 1 })
    await expectRefused('pause', 'paused', 'paused')
    expect((await act(id, 'publish')).body).toMatchObject({ status: 'paused', currentVersion: 2 })
    expect((await act(id, 'resume')).body).toMatchObject({ status: 'active', currentVersion: 2 })
    expect((await act(id, 'archive')).body).toMatchObject({ status: 'archived', currentVersion: 2 })
    for (const [action, to] of [
      ['publish', 'active'],
      ['pause', 'paused'],
      ['resume', 'active'],
      ['archive', 'archived'],
    ] as const) {
      await expectRefused(action, 'archived', to)
    }
    expectCode(await call('POST', '/v1/campaigns', inboxCampaign('way', 'x.y')), 409, 'campaign/key-taken')
    expect((await call('GET', `/v1/campaigns/${id}`)).body).toMatchObject({ id, status: 'archived' })
  })

  test('keeps each version as it was published', async () => {
    const id = await create(inboxCampaign('versions', 'ver.sion'))
    await act(id, 'publish')
    const put = await call('PUT', `/v1/campaigns/${id}`, {
      ...inboxCampaign('versions', 'ver.sion'),
      name: 'Second',
      steps: [step({ title: 'Two' })],
    })
    expect(put.body).toMatchObject({ name: 'Second', currentVersion: 1, draft: { steps: [{ title: 'Two' }] } })
    await given.track({ name: 'ver.sion', userId: 'v', properties: { name: 'x' } })
    await act(id, 'publish')
    await given.track({ name: 'ver.sion', userId: 'v' })
    expect((await given.page(await given.signIn('v'))).data.map(({ title }) => title)).toEqual(['Two', 'Hello x'])
    const versions = await call<{ data: unknown[]; nextCursor: null }>('GET', `/v1/campaigns/${id}/versions`)
    expect(versions.body).toMatchObject({ data: [{ version: 2 }, { version: 1 }], nextCursor: null })
    expect((await call('GET', `/v1/campaigns/${id}/versions/1`)).body).toEqual({
      version: 1,
      publishedAt: expect.stringMatching(INSTANT),
      publishedBy: expect.stringMatching(/^sec_/),
      note: null,
      definition: expect.objectContaining({
        key: 'versions',
        steps: [expect.objectContaining({ title: 'Hello {{ event.properties.name }}' })],
      }),
    })
    for (const n of ['0', '3', 'x', '-1', '1.0', '01', '99999999999999999999']) {
      expectCode(await call('GET', `/v1/campaigns/${id}/versions/${n}`), 404, 'campaign/not-found')
    }
  })

  test('starts no run while it is paused, which the event shows, and is ignored when archived', async () => {
    const id = await given.publish(inboxCampaign('pauses', 'pau.se'))
    const outcome = async () => {
      const { eventId } = (await given.track({ name: 'pau.se', userId: 'p' })).body
      return (await call<Record<string, unknown>>('GET', `/v1/events/${eventId}`)).body
    }
    await act(id, 'pause')
    const paused = await outcome()
    expect(paused).toMatchObject({ outcome: 'unmatched', runs: [] })
    expect(JSON.stringify(paused.considered)).toContain('paused')
    await act(id, 'resume')
    expect(await outcome()).toMatchObject({ outcome: 'matched', runs: [{ campaignKey: 'pauses' }] })
    await act(id, 'archive')
    expect(await outcome()).toMatchObject({ outcome: 'unmatched', runs: [] })
  })

  test('cannot be changed with a key that may not manage, only read', async () => {
    const prod = given.demo.environments.prod.sdkSecretKey
    const definition = inboxCampaign('prod', 'pr.od')
    expectCode(await call('POST', '/v1/campaigns', definition, prod), 403, 'authorization/not-allowed')
    expectCode(await call('POST', '/v1/campaigns', [], prod), 403, 'authorization/not-allowed')
    for (const action of ['publish', 'pause', 'resume', 'archive']) {
      expectCode(
        await call('POST', `/v1/campaigns/cmp_00000000000/${action}`, undefined, prod),
        403,
        'authorization/not-allowed',
      )
    }
    expectCode(await call('PUT', '/v1/campaigns/cmp_00000000000', definition, prod), 403, 'authorization/not-allowed')
    expect((await call('GET', '/v1/campaigns', undefined, prod)).status).toBe(200)
  })
})

describe('a definition', () => {
  const invalid = inboxCampaign('faulty', 'a.b')
  test.each<[string, unknown, string, number?]>([
    ['a missing key', { ...invalid, key: undefined }, 'key'],
    ['a bad key', { ...invalid, key: 'a b' }, 'key'],
    ['a missing trigger', { ...invalid, trigger: undefined }, 'trigger'],
    ['a bad event name', { ...invalid, trigger: { event: 'a..b' } }, 'trigger.event', 2],
    ['an invalid condition', { ...invalid, trigger: { event: 'a', where: 'event.properties.x >' } }, 'trigger.where'],
    ['an unknown variable', { ...invalid, trigger: { event: 'a', where: '1 == 1 && foo.bar' } }, 'trigger.where', 10],
    ['no steps', { ...invalid, steps: [] }, 'steps'],
    ['an unknown type', { ...invalid, steps: [step({ type: 'fly' })] }, 'steps[0].type'],
    ['a missing title', { ...invalid, steps: [step({ title: undefined })] }, 'steps[0].title'],
    ['an unclosed template', { ...invalid, steps: [step({ body: 'abc {{ x' })] }, 'steps[0].body', 4],
    ['an unknown filter', { ...invalid, steps: [step({ title: '{{ a | nope }}' })] }, 'steps[0].title'],
    ['a repeated id', { ...invalid, steps: [step(), step()] }, 'steps[1].id'],
    ['an unknown priority', { ...invalid, steps: [step({ priority: 'top' })] }, 'steps[0].priority'],
    [
      'an unknown style',
      { ...invalid, steps: [step({ actions: [{ label: 'x', style: 'big' }] })] },
      'steps[0].actions[0].style',
    ],
    ['an invalid duration', { ...invalid, steps: [step({ expiresAfter: '30 days' })] }, 'steps[0].expiresAfter'],
    [
      'an error in a branch',
      { ...invalid, steps: [{ id: 'b', type: 'branch', branches: [{ key: 'k', when: '1 +', steps: [] }] }] },
      'steps[0].branches[0].when',
    ],
    [
      'an error in a step of a branch',
      {
        ...invalid,
        steps: [{ id: 'b', type: 'branch', branches: [{ key: 'k', else: true, steps: [step({ title: 1 })] }] }],
      },
      'steps[0].branches[0].steps[0].title',
    ],
    [
      'two else branches',
      {
        ...invalid,
        steps: [
          {
            id: 'b',
            type: 'branch',
            branches: [
              { key: 'k', else: true, steps: [] },
              { key: 'l', else: true, steps: [] },
            ],
          },
        ],
      },
      'steps[0].branches[1].else',
    ],
  ])('with %s is refused with 400 at %3$s', async (_what, definition, path, position) => {
    const answer = await call<{ details: { path: string; message: string; position?: number }[] }>(
      'POST',
      '/v1/campaigns',
      definition,
    )
    expectCode(answer, 400, 'campaign/invalid-definition')
    const detail = answer.body.details.find((one) => one.path === path)
    expect(answer.body.details.map((one) => one.path)).toContain(path)
    if (position !== undefined) expect(detail?.position).toBe(position)
  })

  test('that is no object is refused with request/invalid-body, and no refused definition is stored', async () => {
    expectCode(await call('POST', '/v1/campaigns', []), 400, 'request/invalid-body')
    const { data } = (await call<{ data: Campaign[] }>('GET', '/v1/campaigns?limit=100')).body
    expect(data.map((one) => one.key)).not.toContain('faulty')
    expect(data.map(({ id }) => id)).toEqual(
      data
        .map(({ id }) => id)
        .sort()
        .reverse(),
    )
  })
})

describe('conditions', () => {
  const properties = {
    n: 2,
    f: 2.5,
    total: 600,
    s: 'Ümläut',
    list: [1, 2, 3],
    nested: { a: { b: true } },
    nil: null,
    no: false,
  }
  test.each<[string, boolean]>([
    ["event.properties.total > 100 && user.attributes.plan == 'pro'", true],
    ['event.properties.total > 100 && event.properties.missing == 1', false],
    ['event.properties.missing == 1 || event.properties.n == 2', true],
    ['event.properties.missing', false],
    ['!event.properties.missing', false],
    ['!has(event.properties.missing)', true],
    ['event.properties.s > 1', false],
    ['event.properties.s', false],
    ['event.properties.nested.a.b', true],
    ['event.properties.n == 2', true],
    ['event.properties.n == 2.0', true],
    ['event.properties.n != 3', true],
    ['event.properties.n + 1 == 3', true],
    ['event.properties.n * 2 + 1 > event.properties.f', true],
    ['event.properties.n in [1, 2]', true],
    ['event.properties.n in event.properties.list', true],
    ['2 in event.properties.list', true],
    ['event.properties.list.exists(x, x == 3)', true],
    ['event.properties.list.all(x, x > 1)', false],
    ['size(event.properties.list) == 3', true],
    ['event.properties.list.size() == event.properties.n + 1', true],
    ['event.properties.total / 2 == 300', true],
    ['event.properties.n % 2 == 0', true],
    ['-event.properties.n < 0', true],
    ['event.properties.nil == null', true],
    ['event.properties.no == false', true],
    ["event.properties.s.startsWith('Üm')", true],
    ["event.properties.s.contains('läu') && size(event.properties.s) == 6", true],
    ["event.properties.s in ['Ümläut']", true],
    ["event.name == 'con.dition' && event.userId == user.id && user.id == 'u1'", true],
    ["event.occurredAt.startsWith('2026-')", true],
    ["user.email == 'a@b.c' && user.locale == null", true],
    ["event.properties['total'] >= 600 ? true : false", true],
    ["'a' + event.properties.s == 'aÜmläut'", true],
    ["'constructor' in event.properties", false],
    ['event.properties.constructor != null', false],
  ])('%s is %s', async (where, expected) => {
    const id = await create({
      ...inboxCampaign(`c${Math.random().toString(36).slice(2)}`, 'con.dition'),
      trigger: { event: 'con.dition', where },
    })
    const event = { name: 'con.dition', properties, occurredAt: '2026-01-01T00:00:00Z' }
    const user = { id: 'u1', email: 'a@b.c', attributes: { plan: 'pro' } }
    const answer = await call<{ matched: boolean; reason: unknown; steps: unknown[] }>(
      'POST',
      `/v1/campaigns/${id}/dry-run`,
      { event, user },
    )
    expect([answer.status, answer.body.matched, typeof answer.body.reason]).toEqual([
      200,
      expected,
      expected ? 'object' : 'string',
    ])
    expect(answer.body.steps).toEqual(
      expected
        ? [{ stepId: 'tell', type: 'inbox', outcome: expect.any(String), reason: null, inputs: { verdict: 'send' } }]
        : [],
    )
  })
})

describe('the content of a message', () => {
  const hostile = '<img src=x onerror=alert(1)>[x](javascript:alert(1)) {{ 1 | plus: 1 }} **b**'
  const preview = async (fields: Record<string, unknown>, properties: Record<string, unknown>, user?: unknown) => {
    const id = await create({
      ...inboxCampaign(`m${Math.random().toString(36).slice(2)}`, 'a.b', { name: 'Fallback' }),
      steps: [step(fields)],
    })
    const body = { stepId: 'tell', event: { name: 'a.b', properties }, ...(user === undefined ? {} : { user }) }
    const answer = await call<InboxMessage>('POST', `/v1/campaigns/${id}/preview`, body)
    const trial = await call<{ messageIds: string[] }>('POST', `/v1/campaigns/${id}/test`, {
      userId: 'previewed',
      event: { name: 'a.b', properties },
    })
    const sent = (await given.page(await given.signIn('previewed'))).data[0] as InboxMessage
    expect(trial.body).toEqual({
      messageIds: [sent.id],
      mails: [],
      messages: [{ messageId: sent.id, stepId: expect.any(String), status: 'delivered', statusReason: null }],
    })
    // The message that is sent equals the preview.
    if (user === undefined) expect(sent).toMatchObject(answer.body)
    return answer.body
  }

  test('text is not interpreted, Markdown is escaped, and links are checked after rendering', async () => {
    const text = await preview(
      { title: 'A {{ event.properties.x }}', body: '{{ event.properties.x }}' },
      { x: hostile },
    )
    expect([text.title, text.body, text.bodyFormat]).toEqual([`A ${hostile}`, hostile, 'text'])
    const markdown = await preview(
      { bodyFormat: 'markdown', body: '[go]({{ event.properties.u }}) {{ event.properties.x }}' },
      { x: hostile, u: 'javascript:alert(1)' },
    )
    expect(markdown.body).not.toMatch(/(?<!\\)<img|\]\(javascript/)
    for (const link of ['javascript:alert(1)', ' JaVaScRiPt:x', '//evil.example', '/\\evil.example', 'data:x', '']) {
      expect(
        await preview(
          { link: '{{ event.properties.u }}', icon: '{{ event.properties.u }}', imageUrl: '{{ event.properties.u }}' },
          { u: link },
        ),
      ).toMatchObject({ link: null, icon: null, imageUrl: null })
    }
    expect(
      await preview(
        { link: '/o/{{ event.properties.u }}', icon: 'warning', imageUrl: 'https://e.com/{{ event.properties.u }}' },
        { u: 'ü' },
      ),
    ).toMatchObject({ link: '/o/ü', icon: 'warning', imageUrl: 'https://e.com/ü' })
  })

  test('missing variables are empty, an empty title gets the campaign name, and the user’s locale is used', async () => {
    expect(
      await preview({ title: 'A{{ event.properties.no.such }}B', body: '{{ user.attributes.x }}' }, {}),
    ).toMatchObject({ title: 'AB', body: '' })
    expect((await preview({ title: '{{ event.properties.no }}' }, {})).title).toBe('Fallback')
    const fields = { title: 'Hello', body: 'B', locales: { fr: { title: 'Bonjour' } } }
    expect(await preview(fields, {}, { id: 'u', locale: 'fr-CA' })).toMatchObject({ title: 'Bonjour', body: 'B' })
  })

  test('a template that fails ends its run as failed, and the event is accepted', async () => {
    await given.publish({
      ...inboxCampaign('fails', 'fa.il'),
      steps: [step({ title: '{% for i in (1..100000) %}x{{ i }}{% endfor %}' }), step({ id: 'after' })],
    })
    const tracked = await given.track({ name: 'fa.il', userId: 'f' })
    expect(tracked.status).toBe(202)
    const event = (await call<{ runs: { runId: string }[] }>('GET', `/v1/events/${tracked.body.eventId}`)).body
    expect(event).toMatchObject({ outcome: 'matched', runs: [{ state: 'failed', stateReason: 'render-error' }] })
    const run = (await call('GET', `/v1/runs/${event.runs[0]?.runId}`)).body
    expect(run.steps).toMatchObject([
      { stepId: 'tell', outcome: 'failed', reason: expect.stringContaining('render-error') },
      { stepId: 'after', outcome: 'skipped', reason: 'render-error' },
    ])
    expect((await given.page(await given.signIn('f'))).data).toEqual([])
  })

  test('a collapse key replaces the earlier message', async () => {
    await given.publish({
      ...inboxCampaign('collapses', 'col.lapses'),
      steps: [step({ title: '{{ event.properties.n }}', collapseKey: 'k{{ event.properties.k }}' })],
    })
    const session = await given.signIn('col')
    for (const [k, n] of [
      [1, 'a'],
      [1, 'b'],
      [2, 'c'],
      [1, 'd'],
    ])
      await given.track({ name: 'col.lapses', userId: 'col', properties: { k, n } })
    const page = await given.page(session)
    expect(page.data.map(({ title }) => title)).toEqual(['d', 'c'])
  })
})

describe('the branches of a run', () => {
  const branches = [
    { key: 'big', when: 'event.properties.total > 500', steps: [step({ id: 'b', title: 'Big' })] },
    {
      key: 'half',
      weight: 50,
      steps: [step({ id: 'h', title: 'Half' }), { id: 'out', type: 'exit', reason: 'done here' }],
    },
    { key: 'other', weight: 50, steps: [step({ id: 'o', title: 'Other' })] },
    { key: 'rest', else: true, steps: [] },
  ]
  test('conditions apply before a stable split, later steps follow, and the funnel is divided by branch', async () => {
    const id = await given.publish({
      ...inboxCampaign('ways', 'wa.ys'),
      steps: [{ id: 'size', type: 'branch', branches }, step({ id: 'last', title: 'Last' })],
    })
    const titles = async (userId: string) =>
      (await given.page(await given.signIn(userId))).data.map(({ title }) => title)
    await given.track({ name: 'wa.ys', userId: 'w0', properties: { total: 501 } })
    expect(await titles('w0')).toEqual(['Last', 'Big'])
    let halfCount = 0
    for (let index = 1; index <= 20; index++) {
      const events = [1, 2].map(() => ({ name: 'wa.ys', userId: `w${index}`, properties: { total: 1 } }))
      for (const event of events) await given.track(event)
      const seen = await titles(`w${index}`)
      expect([
        ['Half', 'Half'],
        ['Last', 'Other', 'Last', 'Other'],
      ]).toContainEqual(seen)
      if (seen[0] === 'Half') halfCount++
    }
    expect(halfCount).toBeGreaterThan(0)
    expect(halfCount).toBeLessThan(20)
    const funnel = (await call<FunnelAnswer>('GET', `/v1/campaigns/${id}/stats`)).body
    const slices = Object.fromEntries(
      (funnel.branches ?? []).map(({ version, branch, steps }) => [`${version} ${branch}`, steps[0]?.count]),
    )
    expect(slices).toEqual({ '1 big': 2, '1 half': 2 * halfCount, '1 other': 4 * (20 - halfCount) })
    const dry = await call<{ steps: unknown[] }>('POST', `/v1/campaigns/${id}/dry-run`, {
      event: { name: 'wa.ys', properties: { total: 501 } },
      user: { id: 'x' },
    })
    expect(dry.body).toMatchObject({
      matched: true,
      steps: [{ stepId: 'size', type: 'branch', outcome: 'taken' }, { stepId: 'b' }, { stepId: 'last' }],
    })
    const other = await call('POST', `/v1/campaigns/${id}/dry-run`, { event: { name: 'other.event' }, user: {} })
    expect(other.body).toMatchObject({ matched: false, reason: expect.any(String), steps: [] })
  })
})

describe('the funnel', () => {
  const stats = (id: string, query = '') => call<FunnelAnswer>('GET', `/v1/campaigns/${id}/stats${query}`)
  test('has counts, percentages, windows and channels, and does not count trials', async () => {
    const id = await given.publish(inboxCampaign('funnel', 'fun.nel'))
    expect((await stats(id)).body).toEqual({
      window: 'all',
      channel: 'inbox',
      steps: ['delivery', 'read', 'opened', 'clicked'].map((name) => ({
        step: name,
        count: 0,
        percentOfPrevious: null,
      })),
    })
    for (let index = 0; index < 3; index++) await given.track({ name: 'fun.nel', userId: 'fun' })
    const trial = await call<{ messageIds: string[] }>('POST', `/v1/campaigns/${id}/test`, {
      userId: 'fun',
      event: { properties: {} },
    })
    const session = await given.signIn('fun')
    const ids = (await given.page(session)).data.map((message) => message.id)
    expect(ids).toHaveLength(4)
    await given.register(session, [
      { messageId: trial.body.messageIds[0] ?? '', eventType: 'clicked' },
      { messageId: ids[1] ?? '', eventType: 'opened' },
      { messageId: ids[2] ?? '', eventType: 'read' },
    ])
    const counts = [
      [3, null],
      [2, 66.7],
      [1, 50],
      [0, 0],
    ]
    for (const window of ['24h', '7d', '30d', 'all']) {
      for (const channel of ['inbox', 'nc']) {
        const { body } = await stats(id, `?window=${window}&channel=${channel}`)
        expect([body.window, body.channel, body.steps.map((one) => [one.count, one.percentOfPrevious])]).toEqual([
          window,
          'inbox',
          counts,
        ])
      }
    }
    expect((await stats(id, '?channel=email')).body.steps.map(({ count }) => count)).toEqual([0, 0, 0, 0])
    for (const query of ['?window=1h', '?window=', '?channel=unknown', '?window=all&channel='])
      expectCode(await stats(id, query), 400, 'request/invalid-query')
  })
})

// Last: the other tests are the wait.
test('an expiry is shown and applied', async () => {
  expect(Date.parse(expiring?.expiresAt ?? '') - Date.parse(expiring?.createdAt ?? '')).toBe(5000)
  const session = await given.signIn('ex')
  await expect.poll(async () => (await given.page(session)).inbox).toMatchObject({ seq: 3, unread: 1, unopened: 1 })
  const changes = await given.call<{ changes: unknown[] }>('GET', '/v1/inbox/changes?since=2', { session })
  expect(changes.body.changes).toEqual([{ seq: 3, op: 'remove', id: expiring?.id }])
})
