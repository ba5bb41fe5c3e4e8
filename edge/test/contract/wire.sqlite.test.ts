// Tests HTTP behaviour: common headers, malformed requests, methods and paths, rate limits, files besides the API.
// SQLite alone: what is tested lies before the store.

import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ERRORS } from '../../../contract/errors.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type RawAnswer, send } from '../support/send.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

const JSON_TYPE = { 'content-type': 'application/json' }
const call = (method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<RawAnswer> =>
  send(given.url, method, path, { headers, ...(body === undefined ? {} : { body }) })

function expectError(answer: RawAnswer, status: number, code: keyof typeof ERRORS): void {
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect(answer.body).toMatchObject({
    code,
    message: expect.any(String),
    correlationId: answer.headers['x-correlation-id'],
  })
  expect(answer.headers['content-type']).toContain('application/json')
}

/** Sends bytes that no HTTP client would send. @returns the answer */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(given.url)
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

describe('the correlation id', () => {
  const good = ['a', 'A-b_c.9', 'x'.repeat(128)]
  const bad = ['', 'x'.repeat(129), 'a b', 'ä', 'a/b', '<script>', 'a,b', '"a"']
  const calls: [string, string, Record<string, string>, string?][] = [
    ['GET', '/healthz', {}],
    ['GET', '/readyz', {}],
    ['GET', '/metrics', {}],
    ['GET', '/openapi.json', {}],
    ['GET', '/docs', {}],
    ['GET', '/no/such', {}],
    ['GET', '/v1/no/such', {}],
    ['DELETE', '/v1/events/track', {}],
    ['POST', '/v1/events/track', {}],
    ['POST', '/v1/users/auth', JSON_TYPE, '{'],
    ['GET', '/v1/inbox/messages', {}],
    ['OPTIONS', '/v1/inbox/messages', { origin: 'https://a.example', 'access-control-request-method': 'GET' }],
    ['GET', '/widget/notification-center.js', {}],
    ['HEAD', '/healthz', {}],
    ['HEAD', '/readyz', {}],
    ['HEAD', '/metrics', {}],
    ['HEAD', '/openapi.json', {}],
    ['HEAD', '/docs', {}],
    ['HEAD', '/dashboard/nothing', {}],
    ['HEAD', '/no/such', {}],
    ['HEAD', '/v1/campaigns', {}],
    ['HEAD', '/v1/events/track', {}],
    ['HEAD', '/v1/deliveries/export.csv', {}],
    ['HEAD', '/v1/t/o/none.gif', {}],
    ['HEAD', '/v1/dashboard/auth/me', { 'accept-encoding': 'gzip' }],
    ['TRACE', '/v1/campaigns', {}],
    ['OPTIONS', '/v1/campaigns', {}],
    ['OPTIONS', '*', {}],
  ]
  test.each(['GET', 'HEAD'])('is on a successful %s, plain and compressed, and on 304', async (method) => {
    for (const path of ['/v1/campaigns', '/v1/users', '/v1/deliveries/export.csv', '/openapi.json', '/docs']) {
      for (const coding of ['identity', 'gzip']) {
        const headers = { authorization: `Bearer ${key}`, 'accept-encoding': coding, 'x-correlation-id': 'mine' }
        const { status, headers: answered } = await call(method, path, headers)
        expect([path, status, answered['x-correlation-id']]).toEqual([path, 200, 'mine'])
        const tag = answered.etag
        if (typeof tag !== 'string') continue
        const again = await call(method, path, { ...headers, 'if-none-match': tag })
        expect([path, again.status, again.headers['x-correlation-id']]).toEqual([path, 304, 'mine'])
      }
    }
  })
  test.each(calls)('is on %s %s: a valid one is kept, any other is replaced', async (method, path, headers, body) => {
    for (const id of good)
      expect((await call(method, path, { ...headers, 'x-correlation-id': id }, body)).headers['x-correlation-id']).toBe(
        id,
      )
    for (const id of bad) {
      const sent = Buffer.from(id).toString('latin1')
      expect(
        (await call(method, path, { ...headers, 'x-correlation-id': sent }, body)).headers['x-correlation-id'],
      ).toMatch(/^[A-Za-z0-9._-]{8,128}$/)
    }
    expect((await call(method, path, headers, body)).headers['x-correlation-id']).toMatch(/^[A-Za-z0-9._-]{8,128}$/)
  })
})

describe('paths and methods', () => {
  test.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/events/',
    '/v1/events/nothing',
    '/v1/events/track/',
    '/V1/events',
    '/v1//events',
    '/v1/runs',
    '/v1/inbox',
    '/nothing',
    '/widget/../package.json',
    '/widget/%2e%2e/package.json',
    '/widget/..%2fpackage.json',
    '/v1/users/%ff',
    '/constructor',
    '/%00',
  ])('%s is answered with 404', async (path) =>
    expectError(await call('GET', path, { authorization: `Bearer ${key}` }), 404, 'request/not-found'),
  )

  test.each([
    ['GET', '/v1/events/track', ['POST']],
    ['PUT', '/v1/events/track/batch', ['POST']],
    ['DELETE', '/v1/events/track', ['POST']],
    ['POST', '/v1/inbox/messages', ['GET', 'HEAD']],
    ['GET', '/v1/inbox/read-all', ['POST']],
    ['POST', '/v1/users/u', ['GET', 'PUT', 'DELETE', 'HEAD']],
    ['PATCH', '/v1/campaigns', ['GET', 'POST', 'HEAD']],
    ['POST', '/healthz', ['GET', 'HEAD']],
    ['POST', '/openapi.json', ['GET', 'HEAD']],
    ['OPTIONS', '/v1/events/track', ['POST']],
    ['TRACE', '/v1/events', ['GET', 'HEAD']],
  ])('%s %s is answered with 405 and Allow', async (method, path, allowed) => {
    const answer = await call(method, path)
    expectError(answer, 405, 'request/method-not-allowed')
    expect(String(answer.headers.allow).split(', ').sort()).toEqual([...allowed].sort())
  })

  test('HEAD has the answer of GET without a body', async () => {
    for (const path of ['/healthz', '/openapi.json', '/v1/events']) {
      const headers = { authorization: `Bearer ${key}` }
      const [head, get] = [await call('HEAD', path, headers), await call('GET', path, headers)]
      expect([head.status, head.text, head.headers['content-type']]).toEqual([
        get.status,
        '',
        get.headers['content-type'],
      ])
    }
    expect((await call('HEAD', '/v1/events')).status).toBe(401)
  })
})

describe('a caller by key', () => {
  test.each<[string, Record<string, string>, number, keyof typeof ERRORS]>([
    ['no header', {}, 401, 'auth/tracking-secret-key'],
    ['Basic', { authorization: 'Basic x' }, 401, 'auth/tracking-secret-key'],
    ['two credentials', { authorization: 'Bearer a b' }, 401, 'auth/tracking-secret-key'],
    ['an unknown key', { authorization: 'Bearer nope' }, 403, 'auth/invalid-authorization'],
    ['a long key', { authorization: `Bearer ${'x'.repeat(8000)}` }, 403, 'auth/invalid-authorization'],
  ])('with %s is answered with %i on every path', async (_what, headers, status, code) => {
    for (const path of [
      '/v1/events',
      '/v1/events/evt_x',
      '/v1/runs/run_x',
      '/v1/users/u',
      '/v1/topics/t/subscribers',
      '/v1/campaigns',
      '/v1/campaigns/cmp_x/stats',
    ]) {
      expectError(await call('GET', path, headers), status, code)
    }
    for (const path of ['/v1/campaigns', '/v1/campaigns/cmp_x/publish', '/v1/users/u/sign-out']) {
      expectError(await call('POST', path, { ...headers, ...JSON_TYPE }, '{'), status, code)
    }
  })
})

describe('bodies', () => {
  const auth = () => ({ authorization: `Bearer ${key}` })
  test.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json, text/plain',
    'application/json; charset=latin1',
    'application/json; v=2; charset="utf-16"',
  ])('of type %s are refused with 415', async (type) => {
    const headers = { ...auth(), ...(type === undefined ? {} : { 'content-type': type }) }
    expectError(await call('PUT', '/v1/users/u', headers, '{}'), 415, 'request/unsupported-media-type')
  })

  test.each([
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; charset=utf-8; v=2',
    'application/json; profile="https://example.com/event"',
  ])('of type %s are accepted', async (type) => {
    expect((await call('PUT', '/v1/users/u', { ...auth(), 'content-type': type }, '{}')).status).toBe(200)
  })

  test('are refused with 415 when compressed and with 413 when too large, also in chunks', async () => {
    expectError(
      await call('PUT', '/v1/users/u', { ...auth(), ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}'),
      415,
      'request/unsupported-media-type',
    )
    const large = JSON.stringify({ attributes: { a: Array(6).fill('x'.repeat(60_000)) } })
    expectError(await call('PUT', '/v1/users/u', { ...auth(), ...JSON_TYPE }, large), 413, 'request/payload-too-large')
    expectError(
      await call('PUT', '/v1/users/u', { ...auth(), ...JSON_TYPE, 'transfer-encoding': 'chunked' }, large),
      413,
      'request/payload-too-large',
    )
  })

  test('with the content coding identity are accepted, in any case', async () => {
    for (const coding of ['identity', 'Identity']) {
      const answer = await call('PUT', '/v1/users/u', { ...auth(), ...JSON_TYPE, 'content-encoding': coding }, '{}')
      expect([coding, answer.status]).toEqual([coding, 200])
    }
  })

  test.each(['', '{', '[]', 'null', '1', '"x"', '{"a":}', '{"a":1}x', '\ufeff\ufeff{}', "{'a':1}"])(
    '%j is refused with 400',
    async (body) => {
      expectError(await call('PUT', '/v1/users/u', { ...auth(), ...JSON_TYPE }, body), 400, 'request/invalid-body')
    },
  )

  test.each<[string, object, string, string]>([
    ['/v1/users/u/inbox/mark-read', {}, '', 'Give exactly one of entity and messageIds.'],
    [
      '/v1/users/u/inbox/mark-read',
      { entity: 'e', messageIds: ['m'] },
      '',
      'Give exactly one of entity and messageIds.',
    ],
    ['/v1/users/u/inbox/mark-read', { entity: 1 }, 'entity', 'This must be a string.'],
    ['/v1/users/u/inbox/mark-read', { messageIds: [7] }, 'messageIds[0]', 'This must be a string.'],
    ['/v1/users/u/inbox/mark-read', { messageIds: [] }, 'messageIds', 'This must have at least 1 entry.'],
    ['/v1/runs/cancel', { campaignKey: '', userId: 'u' }, 'campaignKey', 'This must have at least 1 character.'],
  ])('%s with %j is refused with the path and the message', async (path, body, where, message) => {
    const answer = await call('POST', path, { ...auth(), ...JSON_TYPE }, JSON.stringify(body))
    expectError(answer, 400, 'request/invalid-body')
    expect(answer.body.details).toEqual([{ path: where, message }])
  })

  test('the limits of texts and nesting apply to every body', async () => {
    const deep = `{"attributes":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`
    const tooDeep = `{"attributes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    for (const body of [
      deep,
      tooDeep,
      JSON.stringify({ attributes: { a: 'x'.repeat(65_537) } }),
      '{"name":"\\ud800"}',
      '{"name":"a\\u0000"}',
      '{"attributes":{"\\u0000":1}}',
    ]) {
      expectError(await call('PUT', '/v1/users/u', { ...auth(), ...JSON_TYPE }, body), 400, 'request/invalid-body')
    }
    const stored = await call(
      'PUT',
      '/v1/users/proto',
      { ...auth(), ...JSON_TYPE },
      '{"attributes":{"__proto__":{"x":1},"constructor":1,"ok":true}}',
    )
    expect(stored.body.attributes).toEqual({ constructor: 1, ok: true })
  })
})

describe('malformed HTTP', () => {
  test.each<[string, string, number]>([
    ['headers over 16 KiB', `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    [
      'an invalid chunk',
      `POST /v1/events/track HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    [
      'Content-Length with chunks',
      'POST /v1/events/track HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('%s is answered with the common form of errors', async (_what, bytes, status) => {
    const text = await raw(bytes)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(text.toLowerCase()).toContain('x-correlation-id: ')
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      correlationId: expect.any(String),
    })
  })
})

describe('besides the API', () => {
  test('healthz, readyz, metrics and docs are served', async () => {
    expect((await call('GET', '/healthz')).status).toBe(200)
    expect((await call('GET', '/readyz')).status).toBe(200)
    const metrics = await call('GET', '/metrics')
    expect(metrics.headers['content-type']).toContain('text/plain')
    expect(metrics.text).toMatch(/^# TYPE nc_events_accepted_total counter$/m)
    const docs = await call('GET', '/docs')
    expect([docs.status, docs.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')])
  })

  test('openapi.json has version 3.1 and every call of the contract', async () => {
    const { body } = await call('GET', '/openapi.json')
    expect(body.openapi).toMatch(/^3\.1\./)
    const paths = body.paths as Record<string, Record<string, { responses: Record<string, unknown> }>>
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '*')}`),
    )
    for (const route of [
      ...[
        'POST /v1/events/track',
        'POST /v1/events/track/batch',
        'GET /v1/events',
        'GET /v1/events/*',
        'GET /v1/events/*/runs',
        'GET /v1/runs/*',
      ],
      ...[
        'GET /v1/users/*',
        'PUT /v1/users/*',
        'DELETE /v1/users/*',
        'POST /v1/users/*/sign-out',
        'POST /v1/users/*/inbox/mark-read',
      ],
      ...[
        'GET /v1/topics/*/subscribers',
        'PUT /v1/topics/*/subscribers',
        'POST /v1/users/auth',
        'DELETE /v1/inbox/session',
      ],
      ...[
        'GET /v1/inbox/messages',
        'PATCH /v1/inbox/messages/*',
        'DELETE /v1/inbox/messages/*',
        'GET /v1/inbox/changes',
        'POST /v1/inbox/read-all',
        'POST /v1/inbox/actions',
        'POST /v1/notification/event/register',
      ],
      ...[
        'GET /v1/campaigns',
        'POST /v1/campaigns',
        'GET /v1/campaigns/*',
        'PUT /v1/campaigns/*',
        'GET /v1/campaigns/*/versions',
        'GET /v1/campaigns/*/versions/*',
        'GET /v1/campaigns/*/stats',
      ],
      ...['publish', 'pause', 'resume', 'archive', 'preview', 'test', 'dry-run'].map(
        (action) => `POST /v1/campaigns/*/${action}`,
      ),
    ]) {
      expect(served).toContain(route)
    }
    expect(Object.keys(paths['/v1/events/track']?.post?.responses ?? {})).toEqual(
      expect.arrayContaining(['202', '400', '401', '403', '409', '413', '415']),
    )
  })
})

describe('rate limits', () => {
  test('are by default 1,200 calls a minute, which the headers show', async () => {
    const session = await given.signIn('limits')
    const inbox = await given.call('GET', '/v1/inbox/messages', { session })
    expect([
      inbox.headers.get('ratelimit-limit'),
      inbox.headers.get('ratelimit-remaining'),
      Number(inbox.headers.get('ratelimit-reset')),
    ]).toEqual(['1200', '1199', expect.any(Number)])
    const tracked = await given.track({ name: 'a', userId: 'u' })
    expect(tracked.headers.get('ratelimit-limit')).toBeNull()
    const auth = await call('POST', '/v1/users/auth', JSON_TYPE, '{}')
    expect(auth.headers['ratelimit-limit']).toBe('1200')
  })

  test('apply to each class on its own', async () => {
    const limited = await givenEdge({ RATE_LIMITS: 'auth=5,inbox=2,track=3' })
    try {
      const session = await limited.signIn('a')
      const other = await limited.signIn('b')
      const ask = (as: typeof session) => limited.call('GET', '/v1/inbox/messages', { session: as })
      expect([(await ask(session)).status, (await ask(session)).status]).toEqual([200, 200])
      const refused = await ask(session)
      expect([refused.status, refused.body.code]).toEqual([429, 'request/rate-limited'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(refused.headers.get('ratelimit-remaining')).toBe('0')
      expect((await ask(other)).status).toBe(200)
      const statuses: number[] = []
      for (let index = 0; index < 4; index++) statuses.push((await limited.track({ name: 'a', userId: 'u' })).status)
      expect(statuses).toEqual([202, 202, 202, 429])
      expect((await limited.track({ name: 'a', userId: 'u' }, 'prod')).status).toBe(202)
    } finally {
      await limited.stop()
    }
  })
})
