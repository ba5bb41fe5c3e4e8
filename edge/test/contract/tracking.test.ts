// Tests tracking over HTTP: order of checks, reasons of refusals, limits, repeats, batches.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type RawAnswer, send } from '../support/send.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  await given.publish(inboxCampaign('tracking', 'track.me'))
})
afterAll(() => given.stop())

const TRACK = '/v1/events/track'
const BATCH = '/v1/events/track/batch'
const JSON_TYPE = { 'content-type': 'application/json' }

const post = (
  path: string,
  body: unknown,
  headers: Record<string, string> = { authorization: `Bearer ${key}` },
): Promise<RawAnswer> =>
  send(given.url, 'POST', path, {
    headers: { ...JSON_TYPE, ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
const track = (event: Record<string, unknown>, headers: Record<string, string> = {}) =>
  post(TRACK, { sdkSecretKey: key, ...event }, { authorization: `Bearer ${key}`, ...headers })
const batch = (events: unknown) => post(BATCH, { sdkSecretKey: key, events })

function expectError(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect(typeof answer.body.message).toBe('string')
  expect(answer.body.correlationId).toBe(answer.headers['x-correlation-id'])
  for (const secret of [key, given.demo.environments.dev.authSecretKey, 'node_modules', 'SELECT', 'at Object']) {
    expect(answer.text).not.toContain(secret)
  }
}

describe('the order of checks', () => {
  const unknownKey = 'nc_sdk_eu_000000000000000000000000000000000000000000000000'
  const good = { name: 'track.me', userId: 'u' }
  const rows: [string, number, string, () => Promise<RawAnswer>][] = [
    ['no header', 401, 'auth/tracking-secret-key', () => post(TRACK, 'no json', {})],
    ['an empty header', 401, 'auth/tracking-secret-key', () => post(TRACK, good, { authorization: '' })],
    ['Bearer alone', 401, 'auth/tracking-secret-key', () => post(TRACK, good, { authorization: 'Bearer' })],
    ['Basic', 401, 'auth/tracking-secret-key', () => post(TRACK, good, { authorization: `Basic ${key}` })],
    ['the key alone', 401, 'auth/tracking-secret-key', () => post(TRACK, good, { authorization: key })],
    ['two credentials', 401, 'auth/tracking-secret-key', () => post(TRACK, good, { authorization: `Bearer ${key} x` })],
    ['a tab inside', 401, 'auth/tracking-secret-key', () => post(TRACK, good, { authorization: `Bearer ${key}\tx` })],
    [
      'no media type',
      415,
      'request/unsupported-media-type',
      () => send(given.url, 'POST', TRACK, { headers: { authorization: `Bearer ${unknownKey}` }, body: '{}' }),
    ],
    [
      'text/plain',
      415,
      'request/unsupported-media-type',
      () => post(TRACK, '{}', { authorization: `Bearer ${unknownKey}`, 'content-type': 'text/plain' }),
    ],
    [
      'too large',
      413,
      'request/payload-too-large',
      () => post(TRACK, { x: 'x'.repeat(256 * 1024) }, { authorization: `Bearer ${unknownKey}` }),
    ],
    ['no JSON', 400, 'request/invalid-body', () => post(TRACK, '{', { authorization: `Bearer ${unknownKey}` })],
    ['an empty body', 400, 'request/invalid-body', () => post(TRACK, '', { authorization: `Bearer ${unknownKey}` })],
    ['a list', 400, 'request/invalid-body', () => post(TRACK, '[]', { authorization: `Bearer ${unknownKey}` })],
    ['null', 400, 'request/invalid-body', () => post(TRACK, 'null', { authorization: `Bearer ${unknownKey}` })],
    ['a text', 400, 'request/invalid-body', () => post(TRACK, '"x"', { authorization: `Bearer ${unknownKey}` })],
    [
      'broken UTF-8',
      400,
      'request/invalid-body',
      () => post(TRACK, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    ],
    ['no key in the body', 401, 'auth/tracking-secret-key', () => post(TRACK, good)],
    ['a number for the key', 401, 'auth/tracking-secret-key', () => post(TRACK, { ...good, sdkSecretKey: 42 })],
    ['null for the key', 401, 'auth/tracking-secret-key', () => post(TRACK, { ...good, sdkSecretKey: null })],
    ['a list for the key', 401, 'auth/tracking-secret-key', () => post(TRACK, { ...good, sdkSecretKey: [key] })],
    [
      'another key in the body',
      401,
      'auth/tracking-secret-key',
      () => post(TRACK, { ...good, sdkSecretKey: unknownKey }),
    ],
    ['an empty key in the body', 401, 'auth/tracking-secret-key', () => post(TRACK, { ...good, sdkSecretKey: '' })],
    [
      'white space around the key',
      403,
      'auth/invalid-authorization',
      () => post(TRACK, { ...good, sdkSecretKey: ` ${key}\n` }),
    ],
    [
      'white space in the key',
      403,
      'auth/invalid-authorization',
      () => post(TRACK, { ...good, sdkSecretKey: `${key.slice(0, 9)} ${key.slice(9)}` }),
    ],
    [
      'an unknown key',
      403,
      'auth/invalid-authorization',
      () => post(TRACK, { sdkSecretKey: unknownKey, name: 7 }, { authorization: `Bearer ${unknownKey}` }),
    ],
    [
      'an authSecretKey',
      403,
      'auth/invalid-authorization',
      () => {
        const other = given.demo.environments.dev.authSecretKey
        return post(TRACK, { ...good, sdkSecretKey: other }, { authorization: `Bearer ${other}` })
      },
    ],
    [
      'a Front API Key',
      403,
      'auth/invalid-authorization',
      () => {
        const other = given.demo.environments.dev.frontApiKey
        return post(TRACK, { ...good, sdkSecretKey: other }, { authorization: `Bearer ${other}` })
      },
    ],
    ['the name before the body', 400, 'event/invalid-name', () => track({ name: '', userId: 7 })],
    ['the body last', 400, 'request/invalid-body', () => track({ name: 'a', userId: 7 })],
  ]
  for (const path of [TRACK, BATCH]) {
    test.each(rows.filter(([what]) => path === TRACK || !/name|too large/.test(what)))(
      `%s is answered with %i %s (${path})`,
      async (_what, status, code, call) => {
        expectError(await call(), status, code)
      },
    )
  }

  test('the refusal of a key of another region contains that region', async () => {
    const foreign = key.replace('_eu_', '_us_')
    const answer = await post(TRACK, { ...good, sdkSecretKey: foreign }, { authorization: `Bearer ${foreign}` })
    expectError(answer, 403, 'auth/invalid-authorization')
    expect(answer.body.message).toContain('us')
    expect(answer.text).not.toContain(foreign)
  })

  test('the scheme is case-insensitive, and the charset may be given', async () => {
    const answer = await post(
      TRACK,
      { ...good, sdkSecretKey: key },
      {
        authorization: `bearer ${key}`,
        'content-type': 'application/json; charset=UTF-8',
      },
    )
    expect(answer.status).toBe(202)
  })
})

describe('event names', () => {
  test.each([
    'a',
    'Order Completed',
    'order.shipped',
    'invoice:paid',
    'a_b/c-d',
    'a1',
    `a${'b'.repeat(127)}`,
    'ncx.y',
    'NC.x',
    'nc',
  ])('%j is accepted', async (name) => {
    expect((await track({ name, userId: 'u' })).status).toBe(202)
  })
  test.each<[unknown, string, number | undefined]>([
    [undefined, 'missing', undefined],
    [null, 'not-a-string', undefined],
    [7, 'not-a-string', undefined],
    [['a'], 'not-a-string', undefined],
    ['', 'empty', undefined],
    ['a'.repeat(129), 'too-long', undefined],
    ['1'.repeat(129), 'too-long', undefined],
    [' a', 'invalid-start', 0],
    ['1a', 'invalid-start', 0],
    ['.a.', 'invalid-start', 0],
    ['éa', 'invalid-start', 0],
    ['a ', 'invalid-end', 1],
    ['a..', 'invalid-end', 2],
    ['a$', 'invalid-end', 1],
    ['a$b', 'invalid-character', 1],
    ['a\tb', 'invalid-character', 1],
    ['a..b$c', 'invalid-character', 4],
    ['a\u0000b', 'invalid-character', 1],
    ['\u0000', 'invalid-character', 0],
    ['a\ud800', 'invalid-character', 1],
    ['a..b', 'repeated-separator', 2],
    ['a. b', 'repeated-separator', 2],
    ['nc.a', 'reserved-prefix', 0],
    ['nc..a', 'repeated-separator', 3],
  ])('%j is refused: %s', async (name, reason, position) => {
    const answer = await track({ ...(name === undefined ? {} : { name }), userId: 'u' })
    expectError(answer, 400, 'event/invalid-name')
    expect(answer.body.reason).toBe(reason)
    if (position !== undefined) expect(answer.body.position).toBe(position)
  })
})

describe('fields at their limits', () => {
  const hour = 60 * 60 * 1000
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })
  test.each<[string, Record<string, unknown>]>([
    ['a user id of 256', { userId: 'u'.repeat(256) }],
    ['a user id of 256 astral characters', { userId: '😀'.repeat(256) }],
    ['a user id with a slash and spaces', { userId: ' a/b?c#d%2f ' }],
    ['1,000 users', { userIds: Array.from({ length: 1000 }, (_, index) => `many_${index}`) }],
    ['an unknown topic', { topic: 'nobody' }],
    ['a time almost an hour ahead', { userId: 'u', occurredAt: at(hour - 5000) }],
    ['a time long ago', { userId: 'u', occurredAt: '1970-01-01T00:00:00Z' }],
    ['an offset', { userId: 'u', occurredAt: '2026-01-01T00:00:00.5+02:00' }],
    ['no colon, and no seconds', { userId: 'u', occurredAt: '2026-01-01T00:00+0200' }],
    ['Unix seconds', { userId: 'u', occurredAt: 1767225600 }],
    ['Unix milliseconds', { userId: 'u', occurredAt: 1767225600000 }],
    ['a text of 64 KiB', { userId: 'u', properties: { x: 'x'.repeat(64 * 1024) } }],
    ['32 levels', { userId: 'u', properties: nested(31) }],
    ['an idempotency key of 256', { userId: 'u', idempotencyKey: 'k'.repeat(256) }],
    ['unknown fields', { userId: 'u', whatever: [1], sdkSecretKeyX: 'x' }],
    ['big numbers', { userId: 'u', properties: { a: 1e308, b: -0, c: 9007199254740991 } }],
    ['no properties', { userId: 'u', properties: {} }],
    ['a profile', { userId: 'u', user: { email: 'a@b.c', name: null, attributes: { a: null, b: [1] } } }],
  ])('%s is accepted', async (_what, fields) => {
    const answer = await track({ name: 'x.y', ...fields })
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([202, expect.any(String)])
  })

  test.each<[string, Record<string, unknown>]>([
    ['no recipient', {}],
    ['userId and userIds', { userId: 'u', userIds: ['v'] }],
    ['userId and topic', { userId: 'u', topic: 't' }],
    ['an empty user id', { userId: '' }],
    ['a user id of 257', { userId: 'u'.repeat(257) }],
    ['a control character', { userId: 'a\nb' }],
    ['a C1 control character', { userId: 'a\u0085b' }],
    ['a number as user', { userId: 42 }],
    ['no users', { userIds: [] }],
    ['1,001 users', { userIds: Array.from({ length: 1001 }, (_, index) => `m${index}`) }],
    ['an empty id among users', { userIds: ['a', ''] }],
    ['a profile for many', { userIds: ['a'], user: { name: 'x' } }],
    ['a list for the properties', { userId: 'u', properties: [] }],
    ['null for the properties', { userId: 'u', properties: null }],
    ['a time over an hour ahead', { userId: 'u', occurredAt: at(hour + 60_000) }],
    ['an invalid time', { userId: 'u', occurredAt: 'yesterday' }],
    ['an impossible day', { userId: 'u', occurredAt: '2026-02-30T00:00:00Z' }],
    ['digits as time', { userId: 'u', occurredAt: '1767225600' }],
    ['an empty idempotency key', { userId: 'u', idempotencyKey: '' }],
    ['an idempotency key of 257', { userId: 'u', idempotencyKey: 'k'.repeat(257) }],
    ['a number as idempotency key', { userId: 'u', idempotencyKey: 1 }],
    ['a text over 64 KiB', { userId: 'u', properties: { x: 'x'.repeat(64 * 1024 + 1) } }],
    ['33 levels', { userId: 'u', properties: nested(32) }],
    ['NUL', { userId: 'u', properties: { x: 'a\u0000' } }],
    ['NUL in a key', { userId: 'u', properties: { 'a\u0000': 1 } }],
    ['a lone surrogate', { userId: 'u', properties: { x: ['\udc00'] } }],
    ['a text for the profile', { userId: 'u', user: 'x' }],
    ['a number for the email', { userId: 'u', user: { email: 1 } }],
  ])('%s is refused', async (_what, fields) => {
    expectError(await track({ name: 'x.y', ...fields }), 400, 'request/invalid-body')
  })

  test('a body of 256 KiB is accepted, and one byte more is refused with 413', async () => {
    const body = (size: number) => {
      const envelope = JSON.stringify({ sdkSecretKey: key, name: 'x.y', userId: 'u', properties: { a: [] } })
      const fill = `"${'x'.repeat(60_000)}",`.repeat(4)
      const rest = size - envelope.length - fill.length - 2
      return envelope.replace('[]', `[${fill}"${'x'.repeat(rest)}"]`)
    }
    expect(body(256 * 1024).length).toBe(256 * 1024)
    expect((await post(TRACK, body(256 * 1024))).status).toBe(202)
    expectError(await post(TRACK, body(256 * 1024 + 1)), 413, 'request/payload-too-large')
  })

  test('`__proto__` is dropped, and other keys are stored', async () => {
    const text = `{"sdkSecretKey":"${key}","name":"x.y","userId":"u","properties":{"__proto__":{"a":1},"constructor":2,"in":{"prototype":3,"b":4}}}`
    const { eventId } = (await post(TRACK, text)).body
    const event = await given.call('GET', `/v1/events/${eventId}`, { key })
    expect(event.body.properties).toEqual({ constructor: 2, in: { prototype: 3, b: 4 } })
  })
})

describe('repeats', () => {
  test('a key with other than ASCII characters is the same in the header, in UTF-8 or Latin-1, and in the body', async () => {
    // Sent as bytes: node sends headers and a text body together, both in UTF-8.
    const send = (idempotencyKey: string | undefined, header?: string) =>
      post(
        TRACK,
        Buffer.from(JSON.stringify({ sdkSecretKey: key, name: 'track.me', userId: 'u_key', idempotencyKey })),
        { authorization: `Bearer ${key}`, ...(header === undefined ? {} : { 'idempotency-key': header }) },
      )
    const utf8 = Buffer.from('clé-1').toString('latin1')
    const first = await send('clé-1')
    for (const answer of [await send(undefined, utf8), await send('clé-1', utf8), await send(undefined, 'clé-1')]) {
      expect([answer.status, answer.body.eventId, answer.body.duplicate]).toEqual([202, first.body.eventId, true])
    }
    expectError(await send('cle-1', utf8), 400, 'request/invalid-body')
  })

  test('the same key and body return the first event and have no further effect', async () => {
    const event = { name: 'track.me', userId: 'u_repeat', properties: { name: 'x', n: [1, { b: 1, a: 2 }] } }
    const first = await track({ ...event, idempotencyKey: 'r1' }, { 'x-correlation-id': 'first-1' })
    expect(first.body).toEqual({
      eventId: expect.stringMatching(/^evt_[A-Za-z0-9_-]+$/),
      correlationId: 'first-1',
      duplicate: false,
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const repeated = await track(
      { userId: 'u_repeat', properties: { n: [1.0, { a: 2, b: 1 }], name: 'x' }, name: 'track.me' },
      { 'idempotency-key': 'r1', 'x-correlation-id': 'second-2' },
    )
    expect(repeated.status).toBe(202)
    expect(repeated.headers['x-correlation-id']).toBe('second-2')
    expect(repeated.body).toEqual({ ...first.body, duplicate: true })
    const inBatch = await batch([{ ...event, idempotencyKey: 'r1' }])
    expect(inBatch.body.results).toEqual([{ eventId: first.body.eventId, duplicate: true }])
    const page = await given.page(await given.signIn('u_repeat'))
    expect(page.inbox).toMatchObject({ seq: 1, unread: 1 })
    expectError(await track({ ...event, properties: { name: 'y' }, idempotencyKey: 'r1' }), 409, 'request/conflict')
    const conflict = await batch([{ ...event, userId: 'other', idempotencyKey: 'r1' }])
    expect([conflict.status, conflict.body.results]).toEqual([
      202,
      [expect.objectContaining({ code: 'request/conflict' })],
    ])
  })

  test('header and body must have the same key', async () => {
    const event = { name: 'x.y', userId: 'u', idempotencyKey: 'same' }
    expect((await track(event, { 'idempotency-key': 'same' })).status).toBe(202)
    expectError(await track(event, { 'idempotency-key': 'other' }), 400, 'request/invalid-body')
    expectError(
      await track({ name: 'x.y', userId: 'u' }, { 'idempotency-key': 'k'.repeat(257) }),
      400,
      'request/invalid-body',
    )
  })

  test('a key belongs to its environment', async () => {
    const event = { name: 'x.y', userId: 'u', idempotencyKey: 'both' }
    const dev = await given.track(event)
    const prod = await given.track(event, 'prod')
    expect([prod.status, prod.body.duplicate]).toEqual([202, false])
    expect(prod.body.eventId).not.toBe(dev.body.eventId)
  })

  test('a refused event does not use up its key', async () => {
    const event = { name: 'x..y', userId: 'u', idempotencyKey: 'later' }
    expect((await track(event)).status).toBe(400)
    expect((await track({ ...event, name: 'x.y' })).body.duplicate).toBe(false)
  })

  test('twenty concurrent repeats are one event', async () => {
    const event = { name: 'track.me', userId: 'u_race', properties: { name: 'x' }, idempotencyKey: 'race' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => track(event)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202))
    expect(answers.filter(({ body }) => body.duplicate === false)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => `${body.eventId} ${body.correlationId} ${body.receivedAt}`)).size).toBe(1)
    expect((await given.page(await given.signIn('u_race'))).data).toHaveLength(1)
  })
})

describe('batches', () => {
  const one = (index: number) => ({ name: 'b.e', userId: `b${index}` })
  test('results are in the order of the events, with errors in their places', async () => {
    const answer = await batch([
      one(1),
      { name: 'bad..name', userId: 'u' },
      null,
      { userId: 'u' },
      { ...one(2), idempotencyKey: 'twice' },
      { ...one(2), idempotencyKey: 'twice' },
      { ...one(3), idempotencyKey: 'twice' },
      { name: 'b.e' },
      { name: 'b\u0000e', userId: 'u' },
    ])
    expect(answer.status).toBe(202)
    const results = answer.body.results as Record<string, unknown>[]
    expect(results.map((result) => result.code ?? result.duplicate)).toEqual([
      false,
      'event/invalid-name',
      'request/invalid-body',
      'event/invalid-name',
      false,
      true,
      'request/conflict',
      'request/invalid-body',
      'event/invalid-name',
    ])
    expect(results[1]).toMatchObject({ reason: 'repeated-separator', position: 4, message: expect.any(String) })
    expect(results[3]).toMatchObject({ reason: 'missing' })
    expect(results[5]?.eventId).toBe(results[4]?.eventId)
    expect(results[8]).toMatchObject({ reason: 'invalid-character' })
  })

  test('1,000 events are accepted in order', async () => {
    const answer = await batch(Array.from({ length: 1000 }, (_, index) => one(index)))
    const ids = (answer.body.results as { eventId: string }[]).map(({ eventId }) => eventId)
    expect([answer.status, ids.length, new Set(ids).size]).toEqual([202, 1000, 1000])
    expect([...ids].sort()).toEqual(ids)
  })

  test.each<[string, unknown]>([
    ['no events', []],
    ['1,001 events', Array.from({ length: 1001 }, (_, index) => ({ name: 'b.e', userId: `b${index}` }))],
    ['an object for the events', { 0: 'x' }],
    ['no events at all', undefined],
    [
      '1,001 recipients',
      [
        { name: 'b.e', userIds: Array.from({ length: 600 }, (_, i) => `r${i}`) },
        { name: 'b.e', userIds: Array.from({ length: 401 }, (_, i) => `s${i}`) },
      ],
    ],
  ])('%s is refused with 400', async (_what, events) => {
    expectError(await batch(events), 400, 'request/invalid-body')
  })

  const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) })
  test.each<[string, object, string]>([
    ['a lone surrogate', { properties: { a: '\ud800' } }, 'properties.a'],
    ['a NUL', { userId: 'a\0b' }, 'userId'],
    ['a NUL in an unknown field', { other: ['\0'] }, 'other[0]'],
    ['a text over 64 KiB', { properties: { a: 'x'.repeat(65_537) } }, 'properties.a'],
    ['33 levels', { properties: nested(31) }, `properties${'.a'.repeat(31)}`],
  ])('an event with %s is refused, and the others are accepted', async (_what, fields, path) => {
    const answer = await batch([one(1), { ...one(2), ...fields }, one(3)])
    expect(answer.status).toBe(202)
    const [before, refused, after] = answer.body.results as Record<string, unknown>[]
    expect([before?.duplicate, after?.duplicate]).toEqual([false, false])
    expect(refused).toEqual({
      code: 'request/invalid-body',
      message: expect.any(String),
      details: [{ path, message: expect.any(String) }],
    })
  })

  test('an event of 32 levels is accepted in a batch, as it is alone', async () => {
    const allowed = { ...one(1), properties: nested(30) }
    expect((await batch([allowed])).body.results).toEqual([expect.objectContaining({ duplicate: false })])
  })

  test('an event with too many levels is refused, and the others are accepted', async () => {
    const tooDeep = `{"sdkSecretKey":"${key}","events":[${JSON.stringify(one(1))},${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}]}`
    const { status, body } = await post(BATCH, tooDeep)
    expect([status, (body.results as Record<string, unknown>[]).map(({ code }) => code)]).toEqual([
      202,
      [undefined, 'request/invalid-body'],
    ])
  })

  test('an invalid text outside the events refuses the whole batch', async () => {
    const answer = await post(BATCH, { sdkSecretKey: key, events: [one(1)], other: '\0' })
    expectError(answer, 400, 'request/invalid-body')
  })

  test('an event over 256 KiB is refused alone, and a body over 4 MiB as a whole', async () => {
    const large = { ...one(1), properties: { a: Array(5).fill('x'.repeat(60_000)) } }
    const answer = await batch([one(1), large, one(2)])
    expect((answer.body.results as Record<string, unknown>[]).map(({ code }) => code)).toEqual([
      undefined,
      'request/payload-too-large',
      undefined,
    ])
    expectError(await post(BATCH, 'x'.repeat(4 * 1024 * 1024 + 1)), 413, 'request/payload-too-large')
  })
})
