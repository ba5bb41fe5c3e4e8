// Tests calls of other routes, their types, and what callers learn of attempts.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import {
  type BodyOf,
  type EventToTrack,
  type FailedAttempt,
  type JsonSchema,
  NotificationClient,
  type NotificationClientOptions,
  signEnricherCall,
} from '../index.ts'
import { answerJson, type GivenServer, givenClient, givenServer, SECRETS } from '../test/given.ts'
import { VERSION } from '../tracking/version.ts'

let server: GivenServer
afterEach(() => server?.stop())

async function given(answers: [number, unknown][], options: Partial<NotificationClientOptions> = {}) {
  server = await givenServer((response, call) => answerJson(response, ...(answers[call] as [number, unknown])))
  return givenClient({ baseUrl: server.url, retryDelaysMs: [1, 2], ...options })
}

const headersOf = (call: number) => server.heads[call]?.headers

test('another route is called with one key for all attempts', async () => {
  const client = await given([
    [503, {}],
    [200, { name: 'stock' }],
  ])
  const body = { url: 'https://shop.example.com/enrichers' }
  expect(await client.request('PUT', '/v1/enrichers/stock', body)).toEqual({ name: 'stock' })
  expect(server.bodies).toEqual([JSON.stringify(body), JSON.stringify(body)])
  expect(headersOf(0)).toMatchObject({
    authorization: `Bearer ${SECRETS.sdkSecretKey}`,
    'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'user-agent': `notification-center-node/${VERSION}`,
  })
  expect(headersOf(1)?.['idempotency-key']).toBe(headersOf(0)?.['idempotency-key'])
})

test('the version is that of the package', () => {
  expect(JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version).toBe(VERSION)
})

test('a list is read page after page', async () => {
  const client = await given([
    [200, { data: [1, 2], nextCursor: 'a b' }],
    [200, { data: [], nextCursor: 'c' }],
    [200, { data: [3], nextCursor: null }],
  ])
  const seen: unknown[] = []
  for await (const one of client.request('GET', '/v1/deliveries?limit=2')) seen.push(one)
  expect(seen).toEqual([1, 2, 3])
  expect(server.heads.map(({ url }) => url)).toEqual([
    '/v1/deliveries?limit=2',
    '/v1/deliveries?limit=2&cursor=a+b',
    '/v1/deliveries?limit=2&cursor=c',
  ])
  expect(headersOf(0)).not.toHaveProperty('idempotency-key')
})

test.each(['', 'v1', '@evil.example/', 'https://evil.example/', '/a b', '/a#b', '/\\evil', '/ü'])(
  'the path %j is refused',
  async (path) => {
    const client = await given([])
    await expect(client.request('GET', path)).rejects.toThrow(TypeError)
    await expect(client.request('TRACE' as never, '/v1')).rejects.toThrow('method')
    expect(server.bodies).toEqual([])
  },
)

test('a listener of attempts that rejects is ignored', async () => {
  const rejected: unknown[] = []
  const onRejection = (reason: unknown) => rejected.push(reason)
  process.on('unhandledRejection', onRejection)
  const onAttempt = async () => Promise.reject(new Error('the listener'))
  const client = await given(Array(3).fill([503, { code: 'c/0' }]), { onAttempt })
  await expect(client.track({ name: 'a', userId: 'u' })).rejects.toMatchObject({ status: 503 })
  await new Promise(setImmediate)
  process.off('unhandledRejection', onRejection)
  expect(rejected).toEqual([])
})

test('bigints keep their digits', async () => {
  const client = await given([
    [202, { eventId: 'e', correlationId: 'c', receivedAt: 'r' }],
    [200, {}],
  ])
  await client.track({ name: 'a', userId: 7n as never, properties: { small: 5n, large: 12345678901234567890n } })
  await client.request('PUT', '/v1/users/u', { attributes: { large: -9007199254740993n } } as never)
  expect(server.bodies.map((text) => JSON.parse(text))).toMatchObject([
    { userId: '7', properties: { small: 5, large: '12345678901234567890' } },
    { attributes: { large: '-9007199254740993' } },
  ])
})

test('the types of an event take what the service takes', async () => {
  const client = await given([[202, { eventId: 'e', correlationId: 'c', receivedAt: 'r' }]])
  await client.track({
    name: 'a',
    userId: 'u',
    occurredAt: 1_764_496_800,
    user: { externalIds: { stripe: 's', crm: null } },
  })
  expect(JSON.parse(server.bodies[0] ?? '')).toMatchObject({
    occurredAt: 1_764_496_800,
    user: { externalIds: { stripe: 's', crm: null } },
  })
})

test('an export is its text, and a page of something else is no answer', async () => {
  const types = ['text/csv; charset=utf-8', 'text/html']
  server = await givenServer((response, call) => {
    response.writeHead(200, { 'content-type': types[call] }).end('messageId\nmsg_1\n')
  })
  const client = givenClient({ baseUrl: server.url, retryDelaysMs: [] })
  const csv = await client.request('GET', '/v1/deliveries/export.csv?window=24h')
  expectTypeOf(csv).toEqualTypeOf<string>()
  expect(csv).toBe('messageId\nmsg_1\n')
  await expect(client.request('GET', '/v1/deliveries/export.csv')).rejects.toMatchObject({ status: 200 })
})

test('an empty answer is undefined', async () => {
  server = await givenServer((response) => response.writeHead(204).end())
  expect(await givenClient({ baseUrl: server.url }).request('DELETE', '/v1/enrichers/stock')).toBe(undefined)
})

test('each failed attempt is reported, and what the listener throws is ignored', async () => {
  const failed: FailedAttempt[] = []
  const onAttempt = (one: FailedAttempt) => {
    failed.push(one)
    throw new Error('the listener')
  }
  const client = await given(Array(3).fill([503, { code: 'c/0' }]), { onAttempt })
  await expect(client.track({ name: 'a', userId: 'u' })).rejects.toMatchObject({ status: 503 })
  expect(failed.map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
    [1, 1],
    [2, 2],
    [3, null],
  ])
  expect(failed[0]?.error).toMatchObject({ code: 'c/0' })
})

test.each([
  [400, 1],
  [403, 1],
  [409, 1],
  [202, 1],
  [408, 3],
  [425, 3],
  [429, 3],
  [500, 3],
  [503, 3],
])('with retry "transient" the status %i is tried %i times', async (status, attempts) => {
  const client = await given(Array(3).fill([status, { code: 'c/0' }]), { retry: 'transient' })
  await expect(client.track({ name: 'a', userId: 'u' })).rejects.toMatchObject({ status })
  expect(server.bodies).toHaveLength(attempts)
})

test('a call without an answer is repeated with retry "transient"', async () => {
  let calls = 0
  const fetch = () => {
    calls++
    return Promise.reject(new TypeError('fetch failed'))
  }
  const client = givenClient({ fetch, retry: 'transient', retryDelaysMs: [1, 1] })
  await expect(client.track({ name: 'a', userId: 'u' })).rejects.toThrow('fetch failed')
  expect(calls).toBe(3)
})

test('the address is that of the environment when no option has one', () => {
  vi.stubEnv('NOTIFICATION_CENTER_URL', 'https://a.example')
  new NotificationClient(SECRETS)
  vi.stubEnv('NOTIFICATION_CENTER_URL', 'a.example')
  expect(() => new NotificationClient(SECRETS)).toThrow('NOTIFICATION_CENTER_URL')
  vi.stubEnv('NOTIFICATION_CENTER_URL', undefined)
  expect(() => new NotificationClient(SECRETS)).toThrow('NOTIFICATION_CENTER_URL')
  vi.unstubAllEnvs()
})

test('a signed call is answered, and one of another secret is not', async () => {
  const client = givenClient().enricher('stock', { type: 'object' }, (params, { user, id }) => ({ params, user, id }))
  const call = { name: 'stock', params: { sku: 'A' }, user: { id: 'u_42' }, id: 'enr_7' }
  const { body, headers } = signEnricherCall(SECRETS.webhookSigningSecret, call)
  const data = { params: { sku: 'A' }, user: { id: 'u_42' }, id: 'enr_7' }
  expect(await client.dispatch(body)).toMatchObject({ ok: true, data })
  expect(await client.dispatch(JSON.stringify(body), { headers, name: 'stock' })).toMatchObject({ ok: true, data })
  const none = signEnricherCall(SECRETS.webhookSigningSecret, { name: 'stock' })
  expect(await client.dispatch(none.body)).toMatchObject({ ok: true, data: { params: {} } })
  const forged = signEnricherCall('another secret', call)
  expect(await client.dispatch(forged.body)).toMatchObject({ error: { code: 'hmac-invalid' } })
  const old = signEnricherCall(SECRETS.webhookSigningSecret, { ...call, sentAt: new Date(0) })
  expect(await client.dispatch(old.body)).toMatchObject({ error: { reason: 'stale-timestamp' } })
})

interface ShopEvents {
  'order.shipped': { orderId: string }
  'cart.left': undefined
}

// As @types/json-schema declares it: an interface without an index signature.
interface JSONSchema7 {
  $id?: string | undefined
  type?: 'object' | 'string' | undefined
  properties?: { [key: string]: JSONSchema7 | boolean } | undefined
  required?: string[] | undefined
}

/** Never called: the compiler checks it. */
export async function types(client: NotificationClient, shop: NotificationClient<ShopEvents>, id: string) {
  const page = await client.request('GET', '/v1/deliveries?limit=2')
  expectTypeOf(page.nextCursor).toEqualTypeOf<string | null>()
  for await (const event of client.request('GET', '/v1/events')) expectTypeOf(event.name).toEqualTypeOf<string>()
  const campaign = await client.request('GET', `/v1/campaigns/${id}`)
  expectTypeOf(campaign.id).toEqualTypeOf<string>()
  expectTypeOf(await client.request('GET', '/v9/unknown')).toEqualTypeOf<unknown>()
  expectTypeOf<{ url: number }>().not.toExtend<BodyOf<'PUT', '/v1/enrichers/stock'>>()
  await shop.track({ name: 'order.shipped', userId: 'u', properties: { orderId: 'A' } })
  await shop.trackBatch([{ name: 'cart.left', userId: 'u' }])
  type Shipped = { userId: string; name: 'order.shipped'; properties: { orderId: string } }
  expectTypeOf<Shipped>().toExtend<EventToTrack<ShopEvents>>()
  expectTypeOf<Omit<Shipped, 'name'> & { name: 'order.shiped' }>().not.toExtend<EventToTrack<ShopEvents>>()
  expectTypeOf<Omit<Shipped, 'properties'>>().not.toExtend<EventToTrack<ShopEvents>>()
  type Wrong = Omit<Shipped, 'properties'> & { properties: { orderId: number } }
  expectTypeOf<Wrong>().not.toExtend<EventToTrack<ShopEvents>>()
  await client.track({ name: 'any.name', userId: 'u', properties: { a: 1 } })
  const schema: JSONSchema7 = { type: 'object', properties: { sku: { type: 'string' } } }
  client.enricher('stock', schema, (params) => params.sku)
  expectTypeOf<JSONSchema7>().toExtend<JsonSchema>()
  expectTypeOf<number>().not.toExtend<JsonSchema>()
}
