// Tests POST /v1/events/track and /batch: the order of checks, the code of each invalid input, and that nothing is stored.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../../test/support/given.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

interface Sent {
  authorization?: string | null
  type?: string
  body?: unknown
  raw?: string | Buffer
  headers?: Record<string, string>
  path?: string
}

/** Sends a request, valid or not. */
async function send(request: Sent): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const headers: Record<string, string> = { 'content-type': request.type ?? 'application/json', ...request.headers }
  if (request.authorization !== null) headers.authorization = request.authorization ?? `Bearer ${key}`
  const response = await fetch(`${given.url}${request.path ?? '/v1/events/track'}`, {
    method: 'POST',
    headers,
    body: (request.raw ?? JSON.stringify(request.body)) as string,
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

async function countEvents(): Promise<number> {
  const page = await given.call<{ data: unknown[] }>('GET', '/v1/events?limit=100', { key })
  return page.body.data.length
}

const good = () => ({ sdkSecretKey: key, name: 'order.shipped', userId: 'u_1' })
const nested = (levels: number) => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels))

describe('the order of checks', () => {
  test.each<[string, () => Sent, number, string]>([
    [
      'no header, and everything else invalid',
      () => ({ authorization: null, type: 'text/plain', raw: '{' }),
      401,
      'auth/tracking-secret-key',
    ],
    ['another scheme', () => ({ authorization: `Basic ${key}`, body: good() }), 401, 'auth/tracking-secret-key'],
    ['two credentials', () => ({ authorization: `Bearer ${key} x`, body: good() }), 401, 'auth/tracking-secret-key'],
    [
      'an unknown key, but a wrong type',
      () => ({ authorization: 'Bearer nc_sdk_eu_x', type: 'text/plain', raw: '{' }),
      415,
      'request/unsupported-media-type',
    ],
    [
      'an unknown key, but no JSON',
      () => ({ authorization: 'Bearer nc_sdk_eu_x', raw: '{' }),
      400,
      'request/invalid-body',
    ],
    ['a list', () => ({ raw: '[]' }), 400, 'request/invalid-body'],
    ['no key in the body', () => ({ body: { name: 'a', userId: 'u' } }), 401, 'auth/tracking-secret-key'],
    ['a number as key', () => ({ body: { ...good(), sdkSecretKey: 1 } }), 401, 'auth/tracking-secret-key'],
    [
      'another key in the body',
      () => ({ body: { ...good(), sdkSecretKey: 'nc_sdk_eu_other' } }),
      401,
      'auth/tracking-secret-key',
    ],
    [
      'white space around the key in the body',
      () => ({ body: { ...good(), sdkSecretKey: ` ${key}\n` } }),
      403,
      'auth/invalid-authorization',
    ],
    [
      'an unknown key, and a wrong body',
      () => ({ authorization: 'Bearer nc_sdk_eu_x', body: { sdkSecretKey: 'nc_sdk_eu_x', name: '' } }),
      403,
      'auth/invalid-authorization',
    ],
    [
      'a key of another region',
      () => ({ authorization: 'Bearer nc_sdk_us_x', body: { sdkSecretKey: 'nc_sdk_us_x' } }),
      403,
      'auth/invalid-authorization',
    ],
    [
      'an unknown key, and a NUL',
      () => ({ authorization: 'Bearer nc_sdk_eu_x', body: { sdkSecretKey: 'nc_sdk_eu_x', a: '\0' } }),
      403,
      'auth/invalid-authorization',
    ],
    [
      'a wrong name and a wrong body',
      () => ({ body: { sdkSecretKey: key, name: '', userId: 1, properties: { a: '\0' } } }),
      400,
      'event/invalid-name',
    ],
    [
      'a wrong name and nothing else',
      () => ({ body: { sdkSecretKey: key, name: 'bad name!' } }),
      400,
      'event/invalid-name',
    ],
    ['a wrong name alone', () => ({ body: { ...good(), name: '' } }), 400, 'event/invalid-name'],
  ])('%s', async (_name, request, status, code) => {
    const before = await countEvents()
    const answer = await send(request())
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
    expect(answer.body.correlationId).toBe(answer.headers.get('x-correlation-id'))
    expect(JSON.stringify(answer.body)).not.toContain(key)
    expect(await countEvents()).toBe(before)
  })

  test('the error for a key of another region names the region', async () => {
    const answer = await send({ authorization: 'Bearer nc_sdk_us_x', body: { sdkSecretKey: 'nc_sdk_us_x' } })
    expect(answer.body.message).toContain('us')
  })
})

describe('invalid input', () => {
  test.each<[string, () => Record<string, unknown>, string]>([
    ['no recipient', () => ({ userId: undefined }), 'userId'],
    ['two kinds of recipients', () => ({ topic: 't' }), 'userId'],
    ['an empty user id', () => ({ userId: '' }), 'userId'],
    ['a user id of 257 characters', () => ({ userId: 'x'.repeat(257) }), 'userId'],
    ['a user id with a line feed', () => ({ userId: 'a\nb' }), 'userId'],
    ['no users in a list', () => ({ userId: undefined, userIds: [] }), 'userIds'],
    ['a wrong id in a list', () => ({ userId: undefined, userIds: ['a', 2] }), 'userIds[1]'],
    [
      '1,001 users',
      () => ({ userId: undefined, userIds: Array.from({ length: 1001 }, (_, at) => `u${at}`) }),
      'userIds',
    ],
    ['a profile for a list', () => ({ userId: undefined, userIds: ['a'], user: {} }), 'user'],
    ['a profile that is no object', () => ({ user: 'ada' }), 'user'],
    ['attributes that are a list', () => ({ user: { attributes: [] } }), 'user.attributes'],
    ['properties that are a list', () => ({ properties: [] }), 'properties'],
    ['properties that are null', () => ({ properties: null }), 'properties'],
    ['a time that cannot be parsed', () => ({ occurredAt: 'yesterday' }), 'occurredAt'],
    ['a time without an offset', () => ({ occurredAt: '2026-01-01T00:00:00' }), 'occurredAt'],
    ['a time before the year 0', () => ({ occurredAt: '0000-01-01T00:00:00+01:00' }), 'occurredAt'],
    ['a time that does not exist', () => ({ occurredAt: '2026-02-30T00:00:00Z' }), 'occurredAt'],
    ['a time two hours ahead', () => ({ occurredAt: new Date(Date.now() + 7_200_000).toISOString() }), 'occurredAt'],
    ['an empty idempotency key', () => ({ idempotencyKey: '' }), 'idempotencyKey'],
    ['a long idempotency key', () => ({ idempotencyKey: 'x'.repeat(257) }), 'idempotencyKey'],
    ['a NUL', () => ({ properties: { a: ['b\0'] } }), 'properties.a[0]'],
    ['a lone surrogate', () => ({ properties: { a: '\ud800' } }), 'properties.a'],
    ['a NUL in a key', () => ({ properties: { 'a\0': 1 } }), 'properties'],
    ['a string over 64 KiB', () => ({ properties: { a: 'x'.repeat(65_537) } }), 'properties.a'],
  ])('%s is 400 with its path', async (_what, change, path) => {
    const before = await countEvents()
    const answer = await send({ body: { ...good(), ...change() } })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: 'request/invalid-body' })
    expect((answer.body.details as { path: string }[])[0]?.path).toBe(path)
    expect(await countEvents()).toBe(before)
  })

  test('33 levels are refused, 32 are accepted', async () => {
    expect((await send({ body: { ...good(), properties: nested(32) } })).status).toBe(400)
    expect((await send({ body: { ...good(), properties: nested(31) } })).status).toBe(202)
  })

  test('a body beyond 256 KiB is 413', async () => {
    const answer = await send({
      raw: JSON.stringify({
        ...good(),
        a: ['x'.repeat(60_000), 'x'.repeat(60_000), 'x'.repeat(60_000), 'x'.repeat(60_000), 'x'.repeat(60_000)],
      }),
    })
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 413,
      code: 'request/payload-too-large',
    })
  })

  test('invalid UTF-8 is 400', async () => {
    const raw = Buffer.concat([
      Buffer.from(`{"sdkSecretKey":"${key}","name":"`),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ])
    expect(await send({ raw })).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
  })

  test('`__proto__` is dropped and changes no prototype; `constructor` and `prototype` are kept', async () => {
    const raw = `{"sdkSecretKey":"${key}","name":"proto.keys","userId":"u_1","properties":{"__proto__":{"polluted":1},"a":{"constructor":{"prototype":{"polluted":1}}},"b":2}}`
    const answer = await send({ raw })
    expect(answer.status).toBe(202)
    const event = await given.call('GET', `/v1/events/${answer.body.eventId}`, { key })
    expect(event.body.properties).toEqual({ a: { constructor: { prototype: { polluted: 1 } } }, b: 2 })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test.each<[unknown, string, number | undefined]>([
    [undefined, 'missing', undefined],
    [null, 'not-a-string', undefined],
    [7, 'not-a-string', undefined],
    ['', 'empty', undefined],
    ['a'.repeat(129), 'too-long', undefined],
    ['x'.repeat(70_000), 'too-long', undefined],
    ['1a', 'invalid-start', 0],
    ['a.', 'invalid-end', 1],
    ['a\0b', 'invalid-character', 1],
    ['a\ud800b', 'invalid-character', 1],
    ['a..b', 'repeated-separator', 2],
    ['nc.a', 'reserved-prefix', 0],
  ])('the name %j is refused: %s', async (name, reason, position) => {
    const answer = await send({ body: { ...good(), name } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'event/invalid-name', reason } })
    expect(answer.body.position).toBe(position)
  })
})

test.each<[unknown, string]>([
  ['2026-01-31T14:00+0200', '2026-01-31T12:00:00.000Z'],
  [1769860800, '2026-01-31T12:00:00.000Z'],
  [1769860800250, '2026-01-31T12:00:00.250Z'],
])('the time %j is kept as %s, and found by the filters of lists', async (occurredAt, iso) => {
  const { eventId } = (await send({ body: { ...good(), userId: 'u_time', occurredAt } })).body
  expect((await given.call('GET', `/v1/events/${eventId}`, { key })).body.occurredAt).toBe(iso)
  const { receivedAt } = (await given.call<{ receivedAt: string }>('GET', `/v1/events/${eventId}`, { key })).body
  const receivedMs = Date.parse(receivedAt)
  const local = new Date(receivedMs + 7_200_000).toISOString().slice(0, -1)
  for (const from of [receivedAt, receivedMs, `${local}+0200`, encodeURIComponent(`${local}+02:00`)]) {
    const page = await given.call<{ data: { eventId: string }[] }>('GET', `/v1/events?userId=u_time&from=${from}`, {
      key,
    })
    expect(page.body.data.map((event) => event.eventId)).toContain(eventId)
  }
  expect((await given.call('GET', '/v1/events?from=2026-01-31', { key })).status).toBe(400)
})

describe('large integers', () => {
  const large = '12345678901234567890'
  const raw = (fields: string) => ({ raw: `{"sdkSecretKey":"${key}","name":"a.b",${fields}}` })
  const path = '/v1/events/track/batch'

  test('keep their digits as text in properties and attributes, one event or many', async () => {
    const fields = `"userId":"u_large","properties":{"a":${large},"b":[{"c":-${large}}]},"user":{"attributes":{"d":${large}}}`
    const one = await send(raw(fields))
    const many = await send({ path, raw: `{"sdkSecretKey":"${key}","events":[{"name":"a.b",${fields}}]}` })
    for (const eventId of [one.body.eventId, (many.body.results as { eventId: string }[])[0]?.eventId]) {
      const event = await given.call('GET', `/v1/events/${eventId}`, { key })
      expect(event.body.properties).toEqual({ a: large, b: [{ c: `-${large}` }] })
    }
    expect((await given.call('GET', '/v1/users/u_large', { key })).body.attributes).toEqual({ d: large })
  })

  test('are the same value as their text, for idempotency', async () => {
    const sent = (value: string) => raw(`"userId":"u","properties":{"a":${value}},"idempotencyKey":"large"`)
    await send(sent(large))
    expect((await send(sent(`"${large}"`))).body).toMatchObject({ duplicate: true })
    expect((await send(sent('"12345678901234567000"'))).status).toBe(409)
  })

  test.each([
    ['userId', `"userId":${large}`],
    ['userIds[1]', `"userIds":["a",${large}]`],
    ['topic', `"topic":${large}`],
    ['idempotencyKey', `"userId":"u","idempotencyKey":${large}`],
    ['occurredAt', `"userId":"u","occurredAt":${large}`],
    ['user.name', `"userId":"u","user":{"name":${large}}`],
    ['properties', `"userId":"u","properties":${large}`],
    ['properties.a', '"userId":"u","properties":{"a":1e400}'],
  ])('are refused at %s, in a batch too', async (at, fields) => {
    const details = [expect.objectContaining({ path: at })]
    expect(await send(raw(fields))).toMatchObject({ status: 400, body: { code: 'request/invalid-body', details } })
    const many = await send({ path, raw: `{"sdkSecretKey":"${key}","events":[{"name":"a.b",${fields}}]}` })
    expect(many.body.results).toEqual([expect.objectContaining({ code: 'request/invalid-body', details })])
  })

  test('as a name are no string, and in a field that nobody reads nothing', async () => {
    const name = await send({ raw: `{"sdkSecretKey":"${key}","name":${large},"userId":"u"}` })
    expect(name.body).toMatchObject({ code: 'event/invalid-name', reason: 'not-a-string' })
    expect((await send(raw(`"userId":"u","other":${large}`))).status).toBe(202)
  })

  test('in a large batch are counted', async () => {
    const fill = `"${'x'.repeat(60_000)}",`.repeat(4)
    const event = `{"name":"a.b","userId":"u","properties":{"a":[${fill}${large}]}}`
    const many = await send({ path, raw: `{"sdkSecretKey":"${key}","events":[${event},${event}]}` })
    expect(many.body.results).toEqual([1, 2].map(() => expect.objectContaining({ duplicate: false })))
  })

  test('a number as user id is refused with what it must be', async () => {
    const details = [{ path: 'userId', message: 'This must be a string.' }]
    expect((await send(raw('"userId":42'))).body).toMatchObject({ code: 'request/invalid-body', details })
  })

  test('a byte order mark before the body is taken', async () => {
    expect((await send({ raw: `\ufeff${JSON.stringify(good())}` })).status).toBe(202)
  })
})

describe('idempotency', () => {
  test('a repeat is answered with the first event, by header or by body; another body is a conflict', async () => {
    const first = await send({ body: { ...good(), idempotencyKey: 'once' } })
    expect(first).toMatchObject({ status: 202, body: { duplicate: false } })
    const again = await send({ body: good(), headers: { 'idempotency-key': 'once', 'x-correlation-id': 'mine' } })
    expect(again).toMatchObject({ status: 202, body: { ...first.body, duplicate: true } })
    expect(again.headers.get('x-correlation-id')).toBe('mine')
    const other = await send({ body: { ...good(), idempotencyKey: 'once', userId: 'u_2' } })
    expect(other).toMatchObject({ status: 409, body: { code: 'request/conflict' } })
  })

  test('different keys in header and body are refused', async () => {
    const answer = await send({ body: { ...good(), idempotencyKey: 'a' }, headers: { 'idempotency-key': 'b' } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
  })
})

describe('a batch', () => {
  const batch = (events: unknown) => send({ path: '/v1/events/track/batch', body: { sdkSecretKey: key, events } })

  test('answers each event in order, valid or not', async () => {
    const answer = await batch([
      { name: 'a.b', userId: 'u_1' },
      { name: 'a b!', userId: 'u_1' },
      { name: 'a.b' },
      'text',
      { name: 'a\0b', userId: 7, properties: { a: '\0' } },
      { name: 'a.c', userId: 'u_1', idempotencyKey: 'batched' },
      { name: 'a.c', userId: 'u_1', idempotencyKey: 'batched' },
      { name: 'a.d', userId: 'u_1', idempotencyKey: 'batched' },
    ])
    expect(answer.status).toBe(202)
    const written = { eventId: expect.stringMatching(/^evt_/), duplicate: false }
    expect(answer.body.results).toEqual([
      written,
      { code: 'event/invalid-name', message: expect.any(String), reason: 'invalid-end', position: 3 },
      {
        code: 'request/invalid-body',
        message: expect.any(String),
        details: [expect.objectContaining({ path: 'userId' })],
      },
      { code: 'request/invalid-body', message: expect.any(String), details: expect.any(Array) },
      { code: 'event/invalid-name', message: expect.any(String), reason: 'invalid-character', position: 1 },
      written,
      { eventId: expect.stringMatching(/^evt_/), duplicate: true },
      { code: 'request/conflict', message: expect.any(String) },
    ])
    expect(JSON.stringify(answer.body)).not.toContain('correlationId')
  })

  test.each<[string, unknown]>([
    ['no list', undefined],
    ['an object', {}],
    ['an empty list', []],
    ['1,001 events', Array.from({ length: 1001 }, () => ({ name: 'a', userId: 'u' }))],
    [
      '1,001 recipients',
      [
        { name: 'a', userId: 'u' },
        { name: 'a', userIds: Array.from({ length: 1000 }, (_, at) => `u${at}`) },
      ],
    ],
  ])('%s is 400 for the whole batch', async (_what, events) => {
    const before = await countEvents()
    expect(await batch(events)).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
    expect(await countEvents()).toBe(before)
  })

  test('an event beyond 256 KiB is refused without the others', async () => {
    const big = { name: 'a.b', userId: 'u_1', properties: { a: Array.from({ length: 5 }, () => 'x'.repeat(60_000)) } }
    const answer = await batch([{ name: 'a.b', userId: 'u_1' }, big])
    expect(answer.body.results).toEqual([
      expect.objectContaining({ duplicate: false }),
      expect.objectContaining({ code: 'request/payload-too-large' }),
    ])
  })

  test('the key is checked as for one event', async () => {
    const answer = await send({ path: '/v1/events/track/batch', body: { sdkSecretKey: 'other', events: [] } })
    expect(answer).toMatchObject({ status: 401, body: { code: 'auth/tracking-secret-key' } })
  })
})

test('GET of the tracking path is 405, of an unknown event 404', async () => {
  expect(await given.call('GET', '/v1/events/track', { key })).toMatchObject({ status: 405 })
  expect((await given.call('GET', '/v1/events/track', { key })).headers.get('allow')).toBe('POST')
  expect(await given.call('GET', '/v1/events/evt_00000000000', { key })).toMatchObject({
    status: 404,
    body: { code: 'event/not-found' },
  })
  expect(await given.call('GET', '/v1/events/evt_%2F', { key })).toMatchObject({
    status: 404,
    body: { code: 'event/not-found' },
  })
  expect(await given.call('GET', '/v1/events/other', { key })).toMatchObject({
    status: 404,
    body: { code: 'request/not-found' },
  })
})
