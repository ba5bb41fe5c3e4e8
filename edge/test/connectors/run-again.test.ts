// Tests bodies of deliveries as they came: read, run again with other mappings, each once, and erased with their user.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer, SourceAnswer } from '../../../contract/resources/source.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenDashboard } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'
import { type GivenSources, givenSources, trackCall } from '../support/given-sources.ts'

let given: GivenEdge
let sources: GivenSources
beforeAll(async () => {
  given = await givenEdge()
  sources = givenSources(given)
})
afterAll(() => given.stop())

const key = () => given.demo.environments.dev.sdkSecretKey
function call<T = { accepted: number }>(method: string, { id }: CreatedSourceAnswer, path: string, body?: object) {
  return given.call<T>(method, `/v1/sources/${id}/deliveries/${path}`, { key: key(), ...(body && { body }) })
}
/** Of Intercom, whose signature covers all items of a body. */
const notice = (id: string, userId: string) => ({ id, topic: 'a.b', data: { item: { user_id: userId } } })
const bodyOf = async (source: CreatedSourceAnswer, id: string) =>
  (await call<{ body?: string | null }>('GET', source, encodeURIComponent(id))).body.body
const run = (source: CreatedSourceAnswer, id: string) => call('POST', source, `${encodeURIComponent(id)}/run`)
const map = (source: CreatedSourceAnswer, mappings: object[]) =>
  given.call('PUT', `/v1/sources/${source.id}`, { key: key(), body: { mappings } })
const progressOf = async ({ id }: CreatedSourceAnswer) =>
  (await given.call<SourceAnswer>('GET', `/v1/sources/${id}`, { key: key() })).body.run
/** Begins a run, and waits until it has ended. @returns How many deliveries it took, and the progress at its end */
async function runAll(source: CreatedSourceAnswer, query: object = {}) {
  const time = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', ...query }
  const begun = await call('POST', source, 'run', time)
  expect(begun.status).toBe(202)
  await expect.poll(async () => (await progressOf(source))?.state).toBe('done')
  return { taken: begun.body.accepted, ...(await progressOf(source)) }
}
async function eventsOf(userId: string): Promise<string[]> {
  const { body } = await given.call<{ data: { name: string }[] }>('GET', `/v1/events?userId=${userId}`, { key: key() })
  return body.data.map(({ name }) => name)
}

test('a body is kept as it came, and runs again with the mappings of today, once', async () => {
  const source = await sources.create('stripe')
  const body = '{ "id": "evt_1",  "type": "x.y", "data": { "object": { "owner": "u_owner" } } }'
  expect(await sources.deliver(source, body)).toMatchObject({ status: 200, body: { accepted: 1 } })
  await expect.poll(() => bodyOf(source, 'evt_1')).toBe(body)
  expect(await eventsOf('u_owner')).toEqual([])
  await map(source, [{ providerEvent: '*', event: 'ours', userIdPath: 'data.object.owner' }])
  expect(await run(source, 'evt_1')).toMatchObject({ status: 200, body: { accepted: 1 } })
  expect(await eventsOf('u_owner')).toEqual(['ours'])
  expect(await run(source, 'evt_1')).toMatchObject({ status: 200, body: { accepted: 0 } })
  expect(await eventsOf('u_owner')).toEqual(['ours'])
})

test('what a pause dropped runs later, and the platform’s own next try is a repeat', async () => {
  const source = await sources.create('segment')
  await sources.deliver(source, trackCall('before', { userId: 'u_pause' }))
  await sources.change(source.id, 'pause')
  for (const id of ['d1', 'd2']) await sources.deliver(source, trackCall(id, { userId: 'u_pause' }))
  await sources.change(source.id, 'resume')
  await expect.poll(() => bodyOf(source, 'd2')).toContain('d2')
  expect(await progressOf(source)).toBeNull()
  const counts = { outcome: 'dropped', taken: 2, deliveries: 2, done: 2, accepted: 2, refused: 0 }
  expect(await runAll(source, { outcome: 'dropped' })).toMatchObject(counts)
  expect(await eventsOf('u_pause')).toHaveLength(3)
  expect(await sources.deliver(source, trackCall('d1', { userId: 'u_pause' }))).toMatchObject({ body: { accepted: 0 } })
  // Those of another time are left alone.
  const time = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }
  expect(await call('POST', source, 'run', time)).toMatchObject({ status: 202, body: { accepted: 0 } })
  expect(await progressOf(source)).toMatchObject({ outcome: 'dropped', state: 'done' })
})

test('a run says what it did, and one without a new event leaves the delivery as it was', async () => {
  const source = await sources.create('stripe')
  const object = { customer: 'cus_1', owner: 'u_said' }
  await sources.deliver(source, { id: 'evt_said', type: 'a.b', data: { object } })
  await expect.poll(() => bodyOf(source, 'evt_said')).toBeTypeOf('string')
  await map(source, [{ providerEvent: '*', event: 'said', userIdPath: 'data.object.owner' }])
  const first = await run(source, 'evt_said')
  const eventId = expect.stringMatching(/^evt_/)
  expect(first.body).toEqual({ accepted: 1, outcome: 'accepted', eventId, reason: null })
  const read = () => call<object>('GET', source, 'evt_said')
  const made = { outcome: 'accepted', eventId: (first.body as { eventId?: string }).eventId }
  await expect.poll(async () => (await read()).body).toMatchObject(made)
  const listed = await sources.deliveries(source.id)
  for (let at = 0; at < 2; at++) {
    expect((await run(source, 'evt_said')).body).toEqual({
      ...made,
      accepted: 0,
      outcome: 'duplicate',
      reason: expect.stringContaining('These mappings have run it already'),
    })
  }
  expect(await runAll(source)).toMatchObject({ taken: 1, done: 1, accepted: 0, refused: 0 })
  expect(await sources.deliveries(source.id)).toEqual(listed)
  expect((await read()).body).toMatchObject(made)
  await map(source, [{ providerEvent: '*', event: null, drop: true }])
  const dropped = { accepted: 0, outcome: 'dropped', eventId: null, reason: expect.stringMatching(/./) }
  expect((await run(source, 'evt_said')).body).toEqual(dropped)
  await expect.poll(async () => (await read()).body).toMatchObject({ outcome: 'dropped' })
})

test('a run of a body that cannot be taken today either is refused, with its reason', async () => {
  const broken = await sources.create('stripe')
  await sources.deliver(broken, '{"id":')
  await expect.poll(() => sources.deliveries(broken.id)).toHaveLength(1)
  const id = (await sources.deliveries(broken.id))[0]?.deliveryId ?? ''
  await expect.poll(() => bodyOf(broken, id)).toBe('{"id":')
  const refused = { accepted: 0, outcome: 'refused', eventId: null, reason: expect.stringContaining('JSON') }
  expect(await run(broken, id)).toMatchObject({ status: 200, body: refused })
  expect(await runAll(broken)).toMatchObject({ done: 1, accepted: 0, refused: 1 })
})

test('headers are kept without credentials, shown, enough to try the signature again, and erased with the body', async () => {
  const verificationSecret = 'a-secret-of-headers'
  const settings = {
    header: 'x-signature',
    signedString: 'body',
    algorithm: 'sha256',
    encoding: 'hex',
    idPath: 'header:x-delivery',
    typePath: 'header:x-kind',
  }
  const source = await sources.create('hmac', { settings, verificationSecret })
  const body = '{ "owner":  "u_headers" }'
  const secrets = { authorization: 'Bearer let-me-in', cookie: 'sid=let-me-in', 'x-api-key': 'let-me-in' }
  await map(source, [{ providerEvent: 'order.made', event: 'made', userIdPath: 'owner' }])
  for (const [id, kind] of [
    ['d-1', 'order.made'],
    ['d-2', 'order.made'],
    ['d-3', 'order.paid'],
  ] as const) {
    const headers = { ...secrets, 'x-delivery': id, 'x-kind': kind }
    expect(await sources.deliver(source, body, { headers })).toMatchObject({ status: 200, body: { accepted: 1 } })
  }
  await expect.poll(() => bodyOf(source, 'd-3')).toBe(body)
  // An equal body with another id or type is another delivery, with its own headers.
  const ownHeaders = (await call<{ headers?: object }>('GET', source, 'd-3')).body.headers
  expect(ownHeaders).toMatchObject({ 'x-delivery': 'd-3', 'x-kind': 'order.paid' })
  const { headers = {} } = (await call<{ headers?: Record<string, string> }>('GET', source, 'd-1')).body
  expect(headers).toMatchObject({ 'x-delivery': 'd-1', 'x-signature': expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(JSON.stringify(headers)).not.toContain('let-me-in')

  const admin = await givenDashboard(given).join(given.demo.organisation.id, 'admin@headers.example', 'admin')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const path = `/v1/dashboard/environments/${given.demo.environments.dev.id}/sources/${source.id}/try-signature`
  const tried = await admin.call('POST', path, { body: { request: `${lines.join('\n')}\n\n${body}` } })
  expect(tried).toMatchObject({ status: 200, body: { ok: true, matches: true } })

  // Id and type come from headers, also of a delivery whose body had come before.
  await map(source, [
    { providerEvent: 'order.made', event: 'made.again', userIdPath: 'owner' },
    { providerEvent: 'order.paid', event: 'paid.again', userIdPath: 'owner' },
  ])
  for (const id of ['d-1', 'd-2', 'd-3']) {
    expect((await run(source, id)).body).toMatchObject({ accepted: 1, reason: null })
  }
  expect((await eventsOf('u_headers')).sort()).toEqual(['made', 'made', 'made.again', 'made.again', 'paid.again'])
  await given.call('DELETE', '/v1/users/u_headers', { key: key() })
  expect((await call<object>('GET', source, 'd-1')).body).toMatchObject({ body: null, headers: null })
})

test('equal bodies that a pause dropped run each, and items of an array whose id is that of the call are told apart', async () => {
  const source = await sources.create('hmac', {
    settings: {
      header: 'x-signature',
      signedString: 'body',
      algorithm: 'sha256',
      encoding: 'hex',
      idPath: 'header:x-delivery',
      typePath: 'type',
    },
    verificationSecret: 'a-secret-of-equal-bodies',
  })
  await map(source, [{ providerEvent: '*', event: 'equal', userIdPath: 'owner' }])
  await sources.change(source.id, 'pause')
  const body = [
    { type: 'a', owner: 'u_equal' },
    { type: 'b', owner: 'u_equal' },
  ]
  for (const id of ['e-1', 'e-2']) await sources.deliver(source, body, { headers: { 'x-delivery': id } })
  await sources.change(source.id, 'resume')
  await expect.poll(() => bodyOf(source, 'e-2-1')).toBeTypeOf('string')
  expect(await runAll(source, { outcome: 'dropped' })).toMatchObject({ taken: 4, done: 4, accepted: 4, refused: 0 })
  expect(await eventsOf('u_equal')).toHaveLength(4)
  expect(await sources.deliver(source, body, { headers: { 'x-delivery': 'e-2' } })).toMatchObject({
    body: { accepted: 0 },
  })
})

test('a header that is the secret itself is not kept', async () => {
  const settings = {
    header: 'x-signature',
    prefix: 'Basic ',
    algorithm: 'basic',
    encoding: 'hex',
    signedString: 'body',
  }
  const verificationSecret = 'ada:let-me-in'
  const paths = { idPath: 'id', typePath: 'type' }
  const source = await sources.create('hmac', { settings: { ...settings, ...paths }, verificationSecret })
  const headers = { 'x-signature': `Basic ${Buffer.from(verificationSecret).toString('base64')}`, 'x-other-id': 'o' }
  expect(await sources.deliver(source, { id: 'basic', type: 'a.b' }, { headers })).toMatchObject({ status: 200 })
  await expect.poll(() => bodyOf(source, 'basic')).toBeTypeOf('string')
  const kept = (await call<{ headers?: object }>('GET', source, 'basic')).body.headers
  expect(kept).toMatchObject({ 'x-other-id': 'o' })
  expect(kept).not.toHaveProperty('x-signature')
})

test('many bodies run part by part, each item once', async () => {
  const source = await sources.create('intercom')
  for (let at = 0; at < 60; at++) {
    await sources.deliver(source, [notice(`${at}a`, 'u_many'), notice(`${at}b`, 'u_many')])
  }
  await expect.poll(() => bodyOf(source, '59b')).toContain('59b')
  await map(source, [{ providerEvent: '*', event: 'again' }])
  expect(await runAll(source)).toMatchObject({ taken: 120, done: 120, accepted: 120 })
  expect(await runAll(source)).toMatchObject({ taken: 120, done: 120, accepted: 0 })
})

test('a refused body is kept, a wrongly signed one never is', async () => {
  const source = await sources.create('stripe')
  await sources.deliver(source, '{"id":')
  const id = () => sources.deliveries(source.id).then(([first]) => first?.deliveryId ?? '')
  await expect.poll(async () => bodyOf(source, await id())).toBe('{"id":')
  const forged = { id: 'forged', type: 'x', data: {} }
  await sources.deliver(source, forged, { secret: 'wrong' })
  await expect.poll(() => sources.deliveries(source.id)).toHaveLength(2)
  expect(await call('GET', source, 'forged')).toMatchObject({ status: 404, body: { code: 'request/not-found' } })
  expect(await run(source, 'forged')).toMatchObject({ status: 404 })
})

test('an erasure removes the bodies that name the user', async () => {
  const source = await sources.create('intercom')
  await sources.deliver(source, [notice('e1', 'u_gone'), notice('e2', 'u_stays')])
  await sources.deliver(source, notice('e3', 'u_stays'))
  await expect.poll(() => bodyOf(source, 'e3')).toContain('u_stays')
  await given.call('DELETE', '/v1/users/u_gone', { key: key() })
  expect([await bodyOf(source, 'e1'), await bodyOf(source, 'e2')]).toEqual([null, null])
  expect(await bodyOf(source, 'e3')).toContain('u_stays')
})

test('the key of another environment reads and runs nothing', async () => {
  const source = await sources.create('segment')
  await sources.deliver(source, trackCall('own'))
  await expect.poll(() => bodyOf(source, 'own')).toContain('own')
  const other = { key: given.demo.environments.prod.sdkSecretKey }
  const path = `/v1/sources/${source.id}/deliveries/own`
  expect(await given.call('GET', path, other)).toMatchObject({ status: 404, body: { code: 'source/not-found' } })
})

test('the command line shows a delivery, and begins a run of a time', async () => {
  const nc = givenNc(given.settings)
  const source = await sources.create('segment')
  await sources.deliver(source, trackCall('by-hand', { userId: 'u_cli' }))
  await expect.poll(() => bodyOf(source, 'by-hand')).toContain('by-hand')
  const of = `--env ${given.demo.environments.dev.id} --source ${source.id}`
  expect(await nc.json(`source delivery ${of} --delivery by-hand`)).toMatchObject({ outcome: 'accepted' })
  await map(source, [{ providerEvent: '*', event: 'ours' }])
  expect(await nc.json(`source run ${of} --outcome refused`)).toEqual({ accepted: 0 })
  expect(await progressOf(source)).toBeNull()
  expect(await nc.json(`source run ${of}`)).toEqual({ accepted: 1 })
  await expect.poll(() => eventsOf('u_cli')).toContain('ours')
  expect((await nc.nc(`source run ${of} --outcome lost`)).code).toBe(2)
})

test('sources and deliveries come in pages, and unknown parameters are refused', async () => {
  const source = await sources.create('segment')
  for (const id of ['p1', 'p2', 'p3']) await sources.deliver(source, trackCall(id))
  await expect.poll(() => sources.deliveries(source.id)).toHaveLength(3)
  type Page = { data: { id: string; deliveryId: string }[]; nextCursor: string | null }
  const page = (path: string) => given.call<Page>('GET', path, { key: key() })
  for (const path of ['/v1/sources', `/v1/sources/${source.id}/deliveries`]) {
    const { body: whole } = await page(path)
    const { body: first } = await page(`${path}?limit=2`)
    const { body: second } = await page(`${path}?limit=100&cursor=${first.nextCursor}`)
    expect(first.data).toHaveLength(2)
    expect([...first.data, ...second.data]).toEqual(whole.data)
    expect([whole.nextCursor, second.nextCursor]).toEqual([null, null])
    for (const query of ['limit=0', 'limit=101', 'limt=2', 'cursor=x']) {
      expect(await page(`${path}?${query}`)).toMatchObject({ status: 400, body: { code: 'request/invalid-query' } })
    }
  }
})
