// Tests the settings of sources: their defaults, changes that merge, and who may see a secret again.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourceAnswer } from '../../../contract/resources/source.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'
import { type GivenSources, givenSources, trackCall } from '../support/given-sources.ts'

const HMAC = {
  settings: {
    header: 'X-Sig',
    algorithm: 'sha256',
    encoding: 'hex',
    signedString: 'body',
    idPath: 'id',
    typePath: 'type',
  },
}
let given: GivenEdge
let sources: GivenSources
beforeAll(async () => {
  given = await givenEdge()
  sources = givenSources(given)
})
afterAll(() => given.stop())

function put<T = SourceAnswer>(id: string, body: object) {
  const key = given.demo.environments.dev.sdkSecretKey
  return given.call<T>('PUT', `/v1/sources/${id}`, { key, body })
}

test('only version 3 is taken by a new source of HubSpot, unless it says otherwise', async () => {
  expect((await sources.create('hubspot')).requireV3).toBe(true)
  expect((await sources.create('hubspot', { requireV3: false })).requireV3).toBe(false)
  expect((await sources.create('stripe')).requireV3).toBe(false)
})

test('a change keeps the fields that it does not name', async () => {
  const mappings = [{ providerEvent: 'a', event: 'b', userIdPath: 'c', propertiesPath: '' }]
  const { id } = await sources.create('hubspot', { name: 'First', mappings, allowUnsignedBatchTail: true })
  const kept = { requireV3: true, allowUnsignedBatchTail: true, mappings }
  expect(await put(id, { name: 'Second' })).toMatchObject({ status: 200, body: { name: 'Second', ...kept } })
  expect(await put(id, {})).toMatchObject({ status: 200, body: { name: 'Second', ...kept } })
  expect(await put(id, { mappings: [] })).toMatchObject({ body: { name: 'Second', ...kept, mappings: [] } })
  expect(await put(id, { requireV3: false })).toMatchObject({ body: { name: 'Second', requireV3: false } })
})

test('null is refused where a value cannot be null, and another platform is', async () => {
  const { id } = await sources.create('hubspot')
  for (const field of ['name', 'mappings', 'requireV3', 'allowUnsignedBatchTail', 'provider', 'verificationSecret']) {
    const answer = await put<{ details: object[] }>(id, { [field]: null })
    expect(answer).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
    expect(answer.body.details).toMatchObject([{ path: field }])
  }
  expect(await put(id, { provider: 'stripe' })).toMatchObject({ status: 400 })
  expect(await put(id, { provider: 'hubspot', name: 'Same' })).toMatchObject({ status: 200 })
  expect(await sources.read(id)).toMatchObject({ name: 'Same', requireV3: true })
})

test('a secret in a change is refused with its path, and the former one goes on', async () => {
  const source = await sources.create('segment')
  const answer = await put<{ details: object[] }>(source.id, {
    name: 'Other',
    verificationSecret: 'another-secret-of-ours',
  })
  expect(answer).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
  expect(answer.body.details).toMatchObject([{ path: 'verificationSecret' }])
  expect((await sources.read(source.id)).name).toBe(source.name)
  expect((await sources.deliver(source, trackCall('kept'))).status).toBe(200)
})

test('owners and admins see a secret again; keys, editors and viewers never', async () => {
  const dashboard = givenDashboard(given)
  const org = given.demo.organisation.id
  const { id, verificationSecret } = await sources.create('segment')
  expect(await sources.change(id, 'show')).toMatchObject({ status: 403, body: { code: 'authorization/not-allowed' } })
  const path = `/v1/dashboard/environments/${given.demo.environments.dev.id}/sources/${id}/show`
  const seen = (person: DashboardPerson) => person.call('POST', path)
  const admin = await dashboard.join(org, 'admin@shown.example', 'admin')
  expect(await seen(admin)).toMatchObject({ status: 200, body: { verificationSecret, values: [verificationSecret] } })
  for (const role of ['editor', 'viewer'] as const) {
    const person = await dashboard.join(org, `${role}@shown.example`, role)
    expect(await seen(person)).toMatchObject({ status: 403 })
  }
})

test('lists of sources and of their deliveries are newest first, and ids sort by creation', async () => {
  const made = [await sources.create('segment'), await sources.create('stripe'), await sources.create('hmac', HMAC)]
  const ids = made.map(({ id }) => id)
  expect([...ids].sort()).toEqual(ids)
  const key = given.demo.environments.dev.sdkSecretKey
  const listed = await given.call<{ data: { id: string }[] }>('GET', '/v1/sources', { key })
  expect(Object.keys(listed.body).sort()).toEqual(['data', 'nextCursor'])
  expect(listed.body.data.slice(0, 3).map(({ id }) => id)).toEqual([...ids].reverse())
  const [first] = made
  if (first === undefined) throw new Error('no source')
  for (const id of ['l1', 'l2']) await sources.deliver(first, trackCall(id))
  const path = `/v1/sources/${first.id}/deliveries`
  await expect
    .poll(async () => (await given.call('GET', path, { key })).body)
    .toMatchObject({ data: [{ deliveryId: 'l2' }, { deliveryId: 'l1' }], nextCursor: null })
})
