// Tests mappings that drop, filter by a condition, identify the user, and join a topic.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer } from '../../../contract/resources/source.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenSources, givenSources } from '../support/given-sources.ts'

let given: GivenEdge
let sources: GivenSources
beforeAll(async () => {
  given = await givenEdge()
  sources = givenSources(given)
})
afterAll(() => given.stop())

const key = () => given.demo.environments.dev.sdkSecretKey
const own = <T>(method: string, path: string, body?: object) =>
  given.call<T>(method, path, { key: key(), ...(body && { body }) })
const notice = (id: string, userId: string, item: object = {}) => {
  return { id, topic: 'a.b', data: { item: { user_id: userId, ...item } } }
}
const create = (...mappings: object[]) => sources.create('intercom', { mappings })
const eventsOf = async (userId: string) =>
  (await own<{ data: { name: string }[] }>('GET', `/v1/events?userId=${userId}`)).body.data.map(({ name }) => name)
const outcomesOf = async ({ id }: CreatedSourceAnswer) =>
  (await sources.deliveries(id)).map(({ deliveryId, outcome, reason }) => [deliveryId, outcome, reason])
const faultsOf = async (mapping: object) => {
  const body = { name: 'x', provider: 'intercom', mappings: [{ providerEvent: '*', ...mapping }] }
  const answer = await own<{ details?: { path: string }[] }>('POST', '/v1/sources', body)
  return [answer.status, answer.body.details?.map(({ path }) => path).sort()]
}

test('a mapping that drops makes no event, is counted, and the item runs once a mapping takes it', async () => {
  const source = await create({ providerEvent: 'a.b', drop: true })
  expect(await sources.deliver(source, notice('n1', 'u_drop'))).toMatchObject({ status: 200, body: { accepted: 0 } })
  await expect.poll(() => outcomesOf(source)).toEqual([['n1', 'dropped', 'The mapping drops it.']])
  expect(await eventsOf('u_drop')).toEqual([])
  expect((await sources.read(source.id)).counts).toMatchObject({ dropped: 1, accepted: 0 })
  await own('PUT', `/v1/sources/${source.id}`, { mappings: [] })
  expect(await own('POST', `/v1/sources/${source.id}/deliveries/n1/run`)).toMatchObject({ body: { accepted: 1 } })
  expect(await eventsOf('u_drop')).toEqual(['intercom.a.b'])
})

test('a condition lets items through that fit, with the rest of a batch dropped for its reason', async () => {
  const source = await create({ providerEvent: '*', where: 'event.properties.seats > 2 && user.id != "u_w3"' })
  const items = [
    notice('w1', 'u_w1', { seats: 5 }),
    notice('w2', 'u_w2', { seats: 1 }),
    notice('w3', 'u_w3', { seats: 9 }),
    notice('w4', 'u_w4'),
  ]
  expect(await sources.deliver(source, items)).toMatchObject({ body: { accepted: 1 } })
  expect(await Promise.all(['u_w1', 'u_w2', 'u_w3', 'u_w4'].map(eventsOf))).toEqual([['intercom.a.b'], [], [], []])
  const isFalse = 'The condition of the mapping is false.'
  await expect
    .poll(async () => (await outcomesOf(source)).sort())
    .toEqual([
      ['w1', 'accepted', null],
      ['w2', 'dropped', isFalse],
      ['w3', 'dropped', isFalse],
      ['w4', 'dropped', expect.stringContaining('The condition of the mapping failed: ')],
    ])
})

test('a condition that costs too much ends for its item alone', async () => {
  const list = Array.from({ length: 3000 }, (_, at) => at)
  const where = 'event.properties.l.all(a, event.properties.l.all(b, a + b >= 0.0))'
  const source = await create({ providerEvent: 'a.b', where })
  expect(await sources.deliver(source, notice('c1', 'u_cost', { l: list }))).toMatchObject({
    status: 200,
    body: { accepted: 0 },
  })
  expect(await sources.deliver(source, notice('c2', 'u_cost', { l: [1] }))).toMatchObject({ body: { accepted: 1 } })
  await expect
    .poll(() => outcomesOf(source))
    .toEqual([
      ['c2', 'accepted', null],
      ['c1', 'dropped', expect.stringContaining('failed')],
    ])
})

test('identify writes what lies at its paths to the profile, with external ids', async () => {
  const identify = {
    email: 'data.item.contact.mail',
    name: 'data.item.contact.name',
    attributes: { plan: 'data.item.plan', seats: 'data.item.seats', none: 'data.item.none' },
    externalIds: { intercom: 'data.item.id' },
  }
  const source = await create({ providerEvent: '*', identify })
  const item = { id: 'ic_7', plan: 'pro', seats: 3, contact: { mail: 'ada@example.com', name: 'Ada' } }
  await sources.deliver(source, notice('i1', 'u_identified', item))
  const { body } = await own('GET', '/v1/users/u_identified')
  expect(body).toMatchObject({ email: 'ada@example.com', name: 'Ada', attributes: { plan: 'pro', seats: 3 } })
  expect(body).toMatchObject({ externalIds: { intercom: 'ic_7' } })
})

test('users join a topic, each once, and an item without a user adds nobody', async () => {
  const source = await create({ providerEvent: '*', joinTopic: 'customers of intercom' })
  const subscribers = async () =>
    (await own<{ data: string[] }>('GET', '/v1/topics/customers%20of%20intercom/subscribers')).body.data
  await sources.deliver(source, [
    notice('t1', 'u_t1'),
    notice('t2', 'u_t2'),
    notice('t3', 'u_t1'),
    { id: 't4', topic: 'a.b' },
  ])
  expect((await subscribers()).sort()).toEqual(['u_t1', 'u_t2'])
})

test('a trial shows what is dropped and joined, and writes nothing', async () => {
  const payload = [notice('x1', 'u_try', { seats: 5 }), notice('x2', 'u_try')]
  const mappings = [{ providerEvent: '*', where: 'has(event.properties.seats)', joinTopic: 'tried' }]
  const { body } = await own('POST', '/v1/sources/try', { provider: 'intercom', mappings, payload })
  expect(body).toMatchObject({
    items: [
      { dropped: null, joinTopic: 'tried' },
      { dropped: 'The condition of the mapping is false.', joinTopic: 'tried' },
    ],
  })
  expect((await own<{ data: string[] }>('GET', '/v1/topics/tried/subscribers')).body.data).toEqual([])
})

test('faulty actions are refused with their paths', async () => {
  expect(await faultsOf({ drop: 'yes' })).toEqual([400, ['mappings[0].drop']])
  expect(await faultsOf({ where: 'event.' })).toEqual([400, ['mappings[0].where']])
  expect(await faultsOf({ where: '1 + 1' })).toEqual([400, ['mappings[0].where']])
  expect(await faultsOf({ where: 'user.email == "x"' })).toEqual([400, ['mappings[0].where']])
  expect(await faultsOf({ where: 'x'.repeat(1025) })).toEqual([400, ['mappings[0].where']])
  expect(await faultsOf({ joinTopic: 'a\u0000' })).toEqual([400, ['mappings[0].joinTopic']])
  expect(await faultsOf({ identify: { phone: 'a', email: 'a..b', attributes: { a: '' } } })).toEqual([
    400,
    ['mappings[0].identify.attributes.a', 'mappings[0].identify.email', 'mappings[0].identify.phone'],
  ])
  expect(await faultsOf({ identify: { externalIds: { 'Not A System': 'a' } } })).toEqual([
    400,
    ['mappings[0].identify.externalIds'],
  ])
})
