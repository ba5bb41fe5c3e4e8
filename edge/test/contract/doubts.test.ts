// Tests doubts over HTTP: each kind with its cause, what is none, counts, filters, pages, dismissal, erasure and sandboxes.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { DoubtAnswer } from '../../../contract/resources/doubt.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenSources } from '../support/given-sources.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

async function list(query = '', as = key): Promise<DoubtAnswer[]> {
  const answer = await given.call<Page<DoubtAnswer>>('GET', `/v1/doubts?limit=100${query}`, { key: as })
  expect(answer.status).toBe(200)
  return answer.body.data
}
const about = (type: string, id: string) => list(`&subjectType=${type}&subjectId=${encodeURIComponent(id)}`)

let campaigns = 0
/** Publishes a campaign of an event of its own. @returns its id and the name of the event */
async function publish(definition: { where?: string; steps: object[] }) {
  const event = `doubt.e${++campaigns}`
  const { where, steps } = definition
  const id = await given.publish({ key: event, name: event, trigger: { event, ...(where && { where }) }, steps })
  return { id, event }
}
const inbox = (fields: object) => ({ id: 'tell', type: 'inbox', title: 'T', ...fields })

describe('a run', () => {
  /** In a sandbox a campaign with a filter is evaluated; each cause is tried in both. */
  const PLACES = [
    ['here', {}],
    ['in a sandbox', { data: { late: '{{ "x" | upcase }}' } }],
  ] as const

  describe.each(PLACES)('%s', (_place, added) => {
    test.each([
      ['a printed path that nothing is at', { title: '{{ event.properties.nam }}' }, 'event.properties.nam'],
      ['one with a filter', { title: '{{ event.properties.nam | upcase }}' }, 'event.properties.nam | upcase'],
      ['an unknown root', { title: '{{ evnt.total }}' }, 'evnt.total'],
      ['one in data', { data: { a: ['{{ user.attributes.plan }}'] } }, 'user.attributes.plan'],
    ])('unknown-variable: %s', async (_what, fields, path) => {
      const { id, event } = await publish({ steps: [inbox({ ...added, ...fields })] })
      for (let at = 0; at < 3; at++) await given.track({ name: event, userId: 'ada', properties: { name: 'x' } })
      const message = `Step tell: prints ${path}, `
      expect(await about('campaign', id)).toMatchObject([
        { kind: 'unknown-variable', subject: { type: 'campaign', id }, count: 3, example: null },
      ])
      expect((await about('campaign', id))[0]?.message).toContain(message)
    })

    test.each([
      ['its link', { link: '{{ event.properties.js }}' }, 'javascript:alert'],
      ['a link of a property', { link: '{{ event.properties.url }}' }, 'shop.example/x…'],
      ['an action', { actions: [{ label: 'Go', link: '{{ event.properties.url }}' }] }, 'shop.example/x…'],
      ['a picture', { imageUrl: '{{ event.properties.js }}' }, 'javascript:alert'],
      ['Markdown', { body: '[go]({{ event.properties.js }})', bodyFormat: 'markdown' }, 'javascript:alert'],
    ])('link-dropped: %s', async (_what, fields, example) => {
      const { id, event } = await publish({ steps: [inbox({ ...added, ...fields })] })
      const properties = { url: 'shop.example/x?mail=ada@example.com', js: 'javascript:alert' }
      await given.track({ name: event, userId: 'ada', properties })
      expect(await about('campaign', id)).toMatchObject([
        { kind: 'link-dropped', message: 'Step tell: a link was dropped.', example },
      ])
    })

    test('unknown-time-zone: a date in a zone that nobody knows', async () => {
      const title = '{{ event.occurredAt | date: "%H:%M", "Mars/Phobos" }}'
      const { id, event } = await publish({ steps: [inbox({ ...added, title })] })
      await given.track({ name: event, userId: 'ada' })
      expect(await about('campaign', id)).toMatchObject([{ kind: 'unknown-time-zone', example: 'Mars/Phobos' }])
    })

    test('a condition of a branch: an error, and a text that meets a number', async () => {
      const branches = [
        { key: 'rich', when: 'event.properties.totl > 100', steps: [inbox({ ...added, id: 'rich' })] },
        { key: 'some', when: 'event.properties.total > 100', steps: [inbox({ id: 'some' })] },
      ]
      const { id, event } = await publish({ steps: [{ id: 'way', type: 'branch', branches }] })
      await given.track({ name: event, userId: 'ada', properties: { total: '150.00' } })
      const found = await about('campaign', id)
      expect(found.map(({ kind, message, example }) => [kind, message, example]).sort()).toEqual([
        [
          'condition-error',
          'Step way: a condition ended in an error: event.properties.totl > 100.',
          expect.stringContaining('No such key: totl'),
        ],
        [
          'text-compared',
          'Step way: compares a text with a number: event.properties.total > 100.',
          'the text "150.00"',
        ],
      ])
    })
  })

  test.each([
    ['a default', { title: '{{ event.properties.nam | default: "you" }}' }],
    ['a name that the profile lacks', { title: 'Dear {{ user.name }}' }],
    ['an if', { title: '{% if event.properties.nam %}{{ event.properties.nam }}{% endif %}x' }],
    ['no link', { link: '{{ event.properties.empty }}' }],
    ['a path', { link: '/orders/1' }],
    ['a named icon', { icon: 'warning' }],
  ])('%s is no doubt', async (_what, fields) => {
    const { id, event } = await publish({ steps: [inbox(fields)] })
    await given.track({ name: event, userId: 'nobody', properties: { empty: '' } })
    expect(await about('campaign', id)).toEqual([])
  })

  test.each([
    ['event.properties.total > 100', 'text-compared'],
    ['event.properties.total == 150', 'text-compared'],
    ['event.properties.total in [150, 151]', 'text-compared'],
    ['event.properties.size < 5', 'text-compared'],
    ['event.properties.paid == true', 'text-compared'],
    ['event.properties.size == true', null],
    ['event.properties.gone == 1', 'condition-error'],
    ['event.properties.size == 5', null],
    ['event.properties.total == "150"', null],
  ])('a trigger with %s: %s', async (where, kind) => {
    const { id, event } = await publish({ where, steps: [inbox({})] })
    await given.track({ name: event, userId: 'ada', properties: { total: '150', size: 'large', paid: 'True' } })
    const found = await about('campaign', id)
    expect(found.map((one) => one.kind)).toEqual(kind === null ? [] : [kind])
    if (kind !== null) expect(found[0]?.message).toMatch(/^The trigger: /)
  })

  test('a condition of a waitFor that ends in an error is one, with the step', async () => {
    const came = `came.${++campaigns}`
    const wait = { id: 'wait', type: 'waitFor', event: came, timeout: 'P1D', where: 'awaited.properties.gone == 1' }
    const { id, event } = await publish({ steps: [wait] })
    await given.track({ name: event, userId: 'ada' })
    await given.track({ name: came, userId: 'ada' })
    await expect.poll(() => about('campaign', id)).toMatchObject([{ kind: 'condition-error' }])
    expect((await about('campaign', id))[0]?.message).toContain('Step wait: ')
    // A step waits for the event, so somebody listens.
    expect(await about('event', came)).toEqual([])
  })

  test.each(PLACES)('a preview, a dry run and a test leave none, and say theirs: %s', async (_place, added) => {
    const { id, event } = await publish({
      where: 'event.properties.total > 1',
      steps: [inbox({ ...added, title: '{{ event.properties.nam }}', link: '{{ event.properties.js }}' })],
    })
    const sample = { name: event, properties: { total: '3', js: 'javascript:alert' } }
    const call = async (verb: string, body: object) => {
      const answer = await given.call<{ doubts?: { kind: string; message: string }[] }>(
        'POST',
        `/v1/campaigns/${id}/${verb}?doubts=true`,
        { key, body: { event: sample, ...body } },
      )
      expect(answer.status).toBe(200)
      return answer.body.doubts?.map(({ kind }) => kind).sort()
    }
    const ofStep = ['link-dropped', 'unknown-variable']
    expect(await call('preview', { stepId: 'tell', user: { id: 'ada' } })).toEqual(ofStep)
    expect(await call('dry-run', {})).toEqual(['text-compared'])
    expect(await call('test', { userId: 'ada' })).toEqual(ofStep)
    expect(await about('campaign', id)).toEqual([])
    const good = { event: { name: event, properties: { total: 3, nam: 'x', js: '/a' } } }
    expect(await call('preview', { stepId: 'tell', ...good })).toBeUndefined()
  })
})

test('unheard-event: a name that no campaign begins with is counted; a repeat is not, and a refused event neither', async () => {
  const track = (body: object) => given.track({ name: 'order.shiped', userId: 'ada', ...body })
  await Promise.all([track({}), track({}), track({ idempotencyKey: 'once' })])
  await track({ idempotencyKey: 'once' })
  expect(await about('event', 'order.shiped')).toMatchObject([
    { kind: 'unheard-event', subject: { type: 'event', id: 'order.shiped' }, count: 3, example: 'api' },
  ])
})

describe('a profile', () => {
  const put = (userId: string, body: object) => given.call('PUT', `/v1/users/${userId}`, { key, body })
  test.each([
    ['unknown-locale', { locale: 'english' }],
    ['unknown-locale', { locale: 'xx-XX' }],
    ['unknown-time-zone', { timeZone: 'Mars/Phobos' }],
    [null, { locale: 'de_AT', timeZone: 'W. Europe Standard Time' }],
    [null, { locale: null, timeZone: '+02:00' }],
  ])('%s for %o, by PUT and in an event', async (kind, profile) => {
    const of = `u${++campaigns}`
    expect((await put(`${of}.put`, profile)).status).toBe(200)
    await given.track({ name: 'demo.any', userId: `${of}.event`, user: profile })
    for (const userId of [`${of}.put`, `${of}.event`]) {
      const found = await about('user', userId)
      expect(found.map((one) => [one.kind, one.example])).toEqual(
        kind === null ? [] : [[kind, Object.values(profile)[0]]],
      )
    }
  })

  test.each([
    'a..b@x.example',
    '.a@x.example',
    'ann@x.example.',
    'ann@x',
    'ann@localhost',
    'ann',
    'a b@x.example',
    'ann\u200b@x.example',
    'ann@x\u00ad.example',
    'ann\n@x.example',
    'ann@x.example\u0007',
    'Ann <ann@x.example>',
    'ann@x.example, bea@x.example',
  ])('with the address %j is kept with a doubt, by PUT and in an event', async (email) => {
    const of = `odd${++campaigns}`
    expect(await put(`${of}.put`, { email, name: 'Ann' })).toMatchObject({ status: 200, body: { email, name: 'Ann' } })
    await given.track({ name: 'demo.any', userId: `${of}.event`, user: { email } })
    for (const userId of [`${of}.put`, `${of}.event`]) {
      expect((await given.call('GET', `/v1/users/${userId}`, { key })).body).toMatchObject({ email })
      expect(await about('user', userId)).toMatchObject([
        { kind: 'invalid-email', example: email.replace(/\p{Cc}/u, ' ') },
      ])
    }
    expect((await put(`${of}.put`, { email: null })).body).toMatchObject({ email: null, name: 'Ann' })
  })

  test.each(['ann@x.example', ' ann@x.example ', 'ann+tag@bücher.example', 'ünal@x.example', ''])(
    'with the address %j is taken, without a doubt',
    async (email) => {
      const userId = `even${++campaigns}`
      expect((await put(userId, { email })).body).toMatchObject({ email })
      await given.track({ name: 'demo.any', userId, user: { email } })
      expect(await about('user', userId)).toEqual([])
    },
  )

  test('external-id-taken: the id of another user in an event', async () => {
    await put('owner', { externalIds: { stripe: 'cus_d' } })
    await given.track({ name: 'demo.any', userId: 'other', user: { externalIds: { stripe: 'cus_d' } } })
    expect(await about('user', 'other')).toMatchObject([{ kind: 'external-id-taken', example: 'stripe:cus_d' }])
    expect(await about('user', 'owner')).toEqual([])
  })

  test('an erasure removes what is about the user, also what is not written yet', async () => {
    await put('gone', { locale: 'english' })
    expect(await about('user', 'gone')).toHaveLength(1)
    await put('gone', { timeZone: 'Mars' })
    await given.call('DELETE', '/v1/users/gone', { key })
    expect(await about('user', 'gone')).toEqual([])
  })
})

test('a source: a type without a mapping, and a user who was never seen before', async () => {
  const sources = givenSources(given)
  const source = await sources.create('stripe')
  const body = { mappings: [{ providerEvent: 'invoice.paid', event: 'invoice.paid' }] }
  expect((await given.call('PUT', `/v1/sources/${source.id}`, { key, body })).status).toBe(200)
  const deliver = (id: string, type: string, customer: string) =>
    sources.deliver(source, { id, type, data: { object: { customer, id: 'x' } } })
  await deliver('evt_d1', 'charge.refunded', 'cus_new')
  await deliver('evt_d1', 'charge.refunded', 'cus_new')
  await deliver('evt_d2', 'invoice.paid', 'cus_new')
  const found = await about('source', source.id)
  expect(found.map(({ kind, count, example }) => [kind, count, example]).sort()).toEqual([
    ['unknown-user', 1, 'cus_new'],
    ['unmapped-type', 1, null],
  ])
  expect(found.find(({ kind }) => kind === 'unmapped-type')?.message).toContain('charge.refunded')
  expect(await about('event', 'invoice.paid')).toMatchObject([{ kind: 'unheard-event', example: 'connector:stripe' }])
})

describe('the list', () => {
  test('is that of one environment, filtered by kind, in pages, newest first; a dismissed doubt is gone', async () => {
    for (const name of ['page.a', 'page.b', 'page.c']) await given.track({ name, userId: 'ada' })
    const prod = given.demo.environments.prod.sdkSecretKey
    expect((await list('', prod)).some(({ subject }) => subject.id.startsWith('page.'))).toBe(false)
    expect((await list('&kind=unheard-event')).every(({ kind }) => kind === 'unheard-event')).toBe(true)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/v1/doubts?kind=unheard-event&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { body }: { body: Page<DoubtAnswer> } = await given.call<Page<DoubtAnswer>>('GET', path, { key })
      seen.push(...body.data.map(({ subject }) => subject.id))
      cursor = body.nextCursor
    }
    expect(seen.slice(0, 3)).toEqual(['page.c', 'page.b', 'page.a'])
    expect(new Set(seen).size).toBe(seen.length)

    const [doubt] = await about('event', 'page.b')
    const dismiss = (as: string) => given.call<{ code?: string }>('DELETE', `/v1/doubts/${doubt?.id}`, { key: as })
    expect(await dismiss(prod)).toMatchObject({ status: 404, body: { code: 'request/not-found' } })
    expect((await dismiss(key)).status).toBe(200)
    expect(await about('event', 'page.b')).toEqual([])
    expect((await dismiss(key)).status).toBe(404)
  })

  test.each(['kind=nonsense', 'cursor=abc', 'subject=x'])('?%s is refused', async (query) => {
    const answer = await given.call<{ code: string }>('GET', `/v1/doubts?${query}`, { key })
    expect([answer.status, answer.body.code]).toEqual([400, 'request/invalid-query'])
  })
})
