// Tests over HTTP what the service learns of tracked events: names, properties, examples; and what it warns of by that.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { EventNameAnswer, EventPropertiesAnswer } from '../../../contract/resources/event-name.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

async function list(query: string, as = key): Promise<Page<EventNameAnswer>> {
  const answer = await given.call<Page<EventNameAnswer>>('GET', `/v1/event-names?${query}`, { key: as })
  expect(answer.status).toBe(200)
  return answer.body
}
const ask = (name: string, as = key) =>
  given.call<EventPropertiesAnswer & { code?: string }>(
    'GET',
    `/v1/event-names/${encodeURIComponent(name)}/properties`,
    {
      key: as,
    },
  )
async function read(name: string) {
  const { status, body } = await ask(name)
  expect(status).toBe(200)
  return { ...body, of: Object.fromEntries(body.paths.map(({ path, ...rest }) => [path, rest])) }
}

test('the properties of a name: types, how often missing, and examples without secrets', async () => {
  const name = 'Learned order/paid'
  const track = (properties: object) => given.track({ name, userId: 'ada', properties })
  await track({
    total: 74,
    currency: 'EUR',
    items: [{ sku: 'wool' }],
    password: 'hunter2',
    auth: { token: { value: 'x' } },
  })
  await track({ total: '80', currency: 'EUR', items: [], note: 'x'.repeat(100), byUser: { ada: 1 } })
  const { body } = await given.call<{ eventId: string }>('POST', '/v1/events/track', {
    key,
    body: { sdkSecretKey: key, name, userId: 'ada', idempotencyKey: 'once', properties: { total: 5 } },
  })
  const repeat = { sdkSecretKey: key, name, userId: 'ada', idempotencyKey: 'once', properties: { total: 5 } }
  await given.call('POST', '/v1/events/track', { key, body: repeat })
  expect(body.eventId).toMatch(/^evt_/)

  const learned = await read(name)
  expect(learned).toMatchObject({ name, count: 3, events: 3, isCut: false })
  expect(learned.of).toMatchObject({
    total: { types: { number: 2, string: 1 }, missing: 0, examples: [5, '80', 74] },
    currency: { types: { string: 2 }, missing: 1, examples: ['EUR'] },
    items: { types: { array: 2 }, missing: 1, examples: [] },
    'items[].sku': { types: { string: 1 }, missing: 2, examples: ['wool'] },
    note: { types: { string: 1 }, missing: 2, examples: [] },
    password: { types: { string: 1 }, examples: [] },
    'auth.token.value': { types: { string: 1 }, examples: [] },
    'byUser.*': { types: { number: 1 }, missing: 2, examples: [] },
  })
  expect(JSON.stringify(learned)).not.toContain('hunter2')
})

test('events of a batch and of lists of users are learned, and names are found by a part', async () => {
  const events = [
    { name: 'batch.learned', userIds: ['ada', 'bob'], properties: { n: 1 } },
    { name: 'batch.learned', topic: 'nobody', properties: { n: 2 } },
    { name: 'not a name!', userId: 'ada' },
  ]
  await given.call('POST', '/v1/events/track/batch', { key, body: { sdkSecretKey: key, events } })
  expect(await read('batch.learned')).toMatchObject({ count: 2, events: 2, of: { n: { types: { number: 2 } } } })
  const { data } = await list('q=BATCH.l')
  expect(data).toMatchObject([{ name: 'batch.learned', count: 2 }])
  expect((await list('q=batch%25')).data).toEqual([])
})

test('the list is paged, newest first, and of one environment', async () => {
  for (const name of ['paged.a', 'paged.b', 'paged.c']) await given.track({ name, userId: 'ada' })
  const names: string[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`q=paged&limit=1${cursor}`)
    names.push(...page.data.map(({ name }) => name))
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  expect([...names].sort()).toEqual(['paged.a', 'paged.b', 'paged.c'])
  const other = given.demo.environments.prod.sdkSecretKey
  expect((await list('q=paged', other)).data).toEqual([])
  expect(await ask('paged.a', other)).toMatchObject({ status: 404, body: { code: 'request/not-found' } })
})

test('the erasure of a user takes their examples along; counts stay', async () => {
  await given.track({ name: 'erased.learned', userId: 'zoe', properties: { city: 'Lyon' } })
  await given.track({ name: 'erased.learned', userId: 'ada', properties: { city: 'Graz' } })
  expect((await read('erased.learned')).of.city?.examples).toEqual(['Graz', 'Lyon'])
  await given.call('DELETE', '/v1/users/zoe', { key })
  expect((await read('erased.learned')).of.city).toMatchObject({ types: { string: 2 }, examples: ['Graz'] })
})

test('a saved and a published campaign warn of properties that no event had, once enough events came', async () => {
  const event = 'warned.paid'
  const tell = { id: 'tell', type: 'inbox', title: '{{ event.properties.totl }} {{ event.properties.total }}' }
  const mail = {
    id: 'mail',
    type: 'email',
    subject: 'x',
    markdown: '{% for i in event.properties.items %}{{ i.skew }}{% endfor %}',
  }
  const definition = { key: 'warned', trigger: { event, where: 'event.properties.orderId != ""' }, steps: [tell, mail] }
  type Saved = { id: string; warnings: { path: string; line: null; message: string }[] }
  const track = () =>
    given.track({ name: event, userId: 'ada', properties: { total: 1, items: [{ sku: 'a' }], order_id: 'x' } })
  for (let at = 0; at < 19; at++) await track()
  await list('')
  const { body: created } = await given.call<Saved>('POST', '/v1/campaigns', { key, body: definition })
  expect(created.warnings).toEqual([])
  await track()
  await list('')
  const path = `/v1/campaigns/${created.id}`
  const { body: saved } = await given.call<Saved>('PUT', path, { key, body: definition })
  const { body: published } = await given.call<Saved>('POST', `${path}/publish`, { key })
  const told = 'none of 20 that were read. The nearest that they have is'
  const expected = [
    ['trigger.where', `No ${event} has the property orderId: ${told} order_id.`],
    ['steps[0].title', `No ${event} has the property totl: ${told} total.`],
    ['steps[1].markdown', `No ${event} has the property items[].skew: ${told} items[].sku.`],
  ].map(([path, message]) => ({ path, line: null, message }))
  expect(saved.warnings).toEqual(expected)
  expect(published.warnings).toEqual(expected)
})

test('a saved and a published campaign warn of fields that there are not, before any event came', async () => {
  const tell = { id: 'tell', type: 'inbox', title: '{{ user.plan }} {{ event.occurredAt | date: "DD.MM.YYYY" }}' }
  const definition = { key: 'in-vain', trigger: { event: 'in.vain', where: 'user.plan == "pro"' }, steps: [tell] }
  type Saved = { id: string; warnings: { path: string; message: string }[] }
  const { body: saved } = await given.call<Saved>('POST', '/v1/campaigns', { key, body: definition })
  const plan = 'user has no field plan; attributes stand in user.attributes.plan.'
  expect(saved.warnings).toMatchObject([
    { path: 'trigger.where', message: plan },
    { path: 'steps[0].title', message: plan },
    { path: 'steps[0].title', message: expect.stringContaining('"DD.MM.YYYY" prints itself') },
  ])
  const { body: published } = await given.call<Saved>('POST', `/v1/campaigns/${saved.id}/publish`, { key })
  expect(published.warnings).toEqual(saved.warnings)
})

test('a field of the data that is named like one with a condition is a template', async () => {
  const tell = { id: 'tell', type: 'inbox', title: 'x', data: { where: 'in Berlin (', when: '{{ user.plan }}' } }
  const definition = { key: 'named-when', trigger: { event: 'in.vain' }, steps: [tell] }
  const { status, body } = await given.call('POST', '/v1/campaigns', { key, body: definition })
  expect([status, body.warnings]).toMatchObject([201, [{ path: 'steps[0].data.when' }]])
})
