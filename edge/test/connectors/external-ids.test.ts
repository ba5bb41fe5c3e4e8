// Tests external ids of users: one owner each, in profiles, events and searches, and how deliveries find users by them.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UserAnswer } from '../../../contract/resources/user.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenSources } from '../support/given-sources.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

const key = () => given.demo.environments.dev.sdkSecretKey
const put = (userId: string, body: object) => given.call<UserAnswer>('PUT', `/v1/users/${userId}`, { key: key(), body })
const read = async (userId: string) => (await given.call<UserAnswer>('GET', `/v1/users/${userId}`, { key: key() })).body
async function found(externalId: string): Promise<string[]> {
  const path = `/v1/users?externalId=${encodeURIComponent(externalId)}`
  const { body } = await given.call<{ data: UserAnswer[] }>('GET', path, { key: key() })
  return body.data.map(({ userId }) => userId)
}

test('a profile takes, replaces and removes external ids, and a search finds their user', async () => {
  const first = await put('u_a', { externalIds: { stripe: 'cus_a', hubspot: '7' } })
  expect(first).toMatchObject({ status: 200, body: { externalIds: { stripe: 'cus_a', hubspot: '7' } } })
  expect(await found('stripe:cus_a')).toEqual(['u_a'])
  await put('u_a', { externalIds: { stripe: 'cus:b' } })
  expect((await read('u_a')).externalIds).toEqual({ stripe: 'cus:b', hubspot: '7' })
  expect(await found('stripe:cus_a')).toEqual([])
  expect(await found('stripe:cus:b')).toEqual(['u_a'])
  expect((await put('u_a', { externalIds: { stripe: null } })).body.externalIds).toEqual({ hubspot: '7' })
  expect((await put('u_a', { externalIds: null, name: 'Ada' })).body).toMatchObject({ externalIds: {}, name: 'Ada' })
  expect(await found('hubspot:7')).toEqual([])
})

test('a second claim is a conflict and creates no user, until the first one gives the id up', async () => {
  await put('u_owner', { externalIds: { stripe: 'cus_1' } })
  const second = await put('u_other', { name: 'Other', externalIds: { stripe: 'cus_1' } })
  expect(second).toMatchObject({ status: 409, body: { code: 'request/conflict' } })
  expect(await read('u_other')).toMatchObject({ code: 'user/not-found' })
  // An id of another system, or of another environment, is another one.
  expect((await put('u_other', { externalIds: { paddle: 'cus_1' } })).status).toBe(200)
  const prod = { key: given.demo.environments.prod.sdkSecretKey, body: { externalIds: { stripe: 'cus_1' } } }
  expect((await given.call('PUT', '/v1/users/u_other', prod)).status).toBe(200)
  await put('u_owner', { externalIds: { stripe: null } })
  expect((await put('u_other', { externalIds: { stripe: 'cus_1' } })).status).toBe(200)
  expect(await found('stripe:cus_1')).toEqual(['u_other'])
  await given.call('DELETE', '/v1/users/u_other', { key: key() })
  expect((await put('u_owner', { externalIds: { stripe: 'cus_1' } })).status).toBe(200)
})

test('of many claims at once one wins', async () => {
  const claims = Array.from({ length: 8 }, (_, at) => put(`u_race${at}`, { externalIds: { stripe: 'cus_race' } }))
  const statuses = (await Promise.all(claims)).map(({ status }) => status).sort()
  expect(statuses).toEqual([200, ...Array(7).fill(409)])
  expect(await found('stripe:cus_race')).toHaveLength(1)
})

test('an event claims external ids; a second claim leaves its profile change out', async () => {
  await given.track({ name: 'signed.up', userId: 'u_e1', user: { name: 'One', externalIds: { stripe: 'cus_e' } } })
  const taken = { name: 'signed.up', userId: 'u_e2', user: { name: 'Two', externalIds: { stripe: 'cus_e' } } }
  expect((await given.track(taken)).status).toBe(202)
  expect(await read('u_e1')).toMatchObject({ name: 'One', externalIds: { stripe: 'cus_e' } })
  expect(await read('u_e2')).toMatchObject({ name: null, externalIds: {} })
})

test('a delivery of Stripe finds the user of its customer, and tells whose customer it is', async () => {
  const sources = givenSources(given)
  const source = await sources.create('stripe')
  const deliver = (id: string, type: string, object: object) => sources.deliver(source, { id, type, data: { object } })
  const eventsOf = async (userId: string) => {
    const { body } = await given.call<{ data: { name: string }[] }>('GET', `/v1/events?userId=${userId}`, {
      key: key(),
    })
    return body.data.map(({ name }) => name)
  }
  await deliver('evt_1', 'checkout.session.completed', { client_reference_id: 'u_buyer', customer: 'cus_buyer' })
  expect(await found('stripe:cus_buyer')).toEqual(['u_buyer'])
  await deliver('evt_2', 'invoice.paid', { customer: 'cus_buyer' })
  expect(await eventsOf('u_buyer')).toEqual(['stripe.invoice.paid', 'stripe.checkout.session.completed'])
  const body = {
    provider: 'stripe',
    payload: { id: 'evt_3', type: 'invoice.paid', data: { object: { customer: 'cus_buyer' } } },
  }
  const tried = await given.call('POST', '/v1/sources/try', { key: key(), body })
  expect(tried).toMatchObject({ body: { items: [{ userId: 'u_buyer' }] } })
})

test('faulty lists of paths are refused with their place', async () => {
  const mappings = [
    { providerEvent: 'a', userIdPath: ['a.b', 'a..b'] },
    { providerEvent: 'b', userIdPath: [] },
    { providerEvent: 'c', userIdPath: 'external:stripe:' },
    { providerEvent: 'd', userIdPath: ['a.b', 'external:stripe:data.object.customer'] },
  ]
  const body = { name: 'x', provider: 'stripe', mappings }
  const answer = await given.call<{ details: { path: string }[] }>('POST', '/v1/sources', { key: key(), body })
  expect(answer.body.details.map(({ path }) => path)).toEqual([
    'mappings[0].userIdPath[1]',
    'mappings[1].userIdPath',
    'mappings[2].userIdPath',
  ])
})

test.each([
  ['21 systems', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`s${at}`, 'x']))],
  ['a colon in a system', { 'a:b': 'x' }],
  ['an empty id', { stripe: '' }],
  ['a number', { stripe: 7 }],
])('faulty external ids are refused: %s', async (_, externalIds) => {
  expect(await put('u_faulty', { externalIds })).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
})

test('a user has at most 20, also by several changes', async () => {
  const many = (prefix: string) => Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`${prefix}${at}`, 'many']))
  expect((await put('u_many', { externalIds: many('a') })).status).toBe(200)
  expect((await put('u_many', { externalIds: many('b') })).status).toBe(400)
  expect(Object.keys((await read('u_many')).externalIds)).toHaveLength(15)
  expect(await found('b0:many')).toEqual([])
})
