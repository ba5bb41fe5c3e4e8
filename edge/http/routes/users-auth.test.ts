// Tests sign-in, sign-out and CORS over HTTP: which answers browsers on each origin may read.

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from '@hono/zod-openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainToken } from '../../auth/backend-token.ts'
import { createResolveKey } from '../../auth/key-ring.ts'
import { isOriginAllowed } from '../../auth/origins.ts'
import { type GivenAuth, givenAuth } from '../../test/support/given-auth.ts'
import { createCallers } from '../kernel/callers.ts'
import { addWidgetCors } from '../kernel/cors.ts'
import { createHttp } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import { createMemoryCounter } from '../limits/memory-counter.ts'
import { createRateLimits } from '../limits/rate-limits.ts'
import { createNodeServer } from '../node/node-server.ts'
import { addUsersAuthRoutes } from './users-auth.ts'

const SHOP = 'https://shop.example'
const EVIL = 'https://evil.example'

let given: GivenAuth
let server: Server
let url: string
let open: Awaited<ReturnType<GivenAuth['createEnvironment']>>
let listed: Awaited<ReturnType<GivenAuth['createEnvironment']>>
let writes = 0
const defects: unknown[] = []

beforeAll(async () => {
  given = await givenAuth()
  open = await given.createEnvironment()
  listed = await given.createEnvironment({ name: 'prod', allowedOrigins: [SHOP] })
  const { keyRing, sessions } = given
  const sinks = { onDefect: (error: unknown) => void defects.push(error), onRefused: () => {} }
  const callers = createCallers({
    resolveKey: createResolveKey({ findBySdkKey: keyRing.findBySdkKey, regions: { own: 'eu', hosts: {} } }),
    verifySession: sessions.verify,
  })
  const http = createHttp({ ...sinks, callers, isDraining: () => false })
  addWidgetCors(http, { verifySession: sessions.verify, findEnvironment: keyRing.findEnvironment, isOriginAllowed })
  const rateLimits = createRateLimits({
    limits: { auth: 40, inbox: 40, track: null, management: null, webhooks: null },
    trustedProxies: 1,
    counter: createMemoryCounter(given.clock),
    findEnvironment: keyRing.findEnvironment,
    findByFrontKey: keyRing.findByFrontKey,
    countSubscribers: given.stores.topics.countSubscribers,
  })
  addUsersAuthRoutes(
    http,
    {
      signInUser: given.signIn,
      endSession: sessions.end,
      originForCaller: () => undefined,
    },
    rateLimits,
  )
  addRoute(
    http,
    {
      method: 'post',
      path: '/v1/inbox/read-all',
      summary: 'A write that CORS must guard',
      tag: 'Inbox',
      caller: 'widget',
      answer: { status: 200, schema: z.object({}) },
      errors: [],
    },
    () => ({ writes: ++writes }),
  )
  addRoute(
    http,
    {
      method: 'get',
      path: '/v1/inbox/messages',
      summary: 'A read that no cache may give to another user',
      tag: 'Inbox',
      caller: 'widget',
      answer: { status: 200, schema: z.object({}) },
      errors: [],
    },
    () => ({}),
  )
  server = createNodeServer(http.app, sinks)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await given.close()
  expect(defects).toEqual([])
})

interface Sent {
  path: string
  method?: string
  body?: unknown
  origin?: string
  token?: string
  headers?: Record<string, string>
}

async function send({ path, method = 'POST', body, origin, token, headers }: Sent) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(origin !== undefined && { origin }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  const readable = response.headers.get('access-control-allow-origin')
  return { status: response.status, answer, code: answer.code, readable, headers: response.headers }
}

type Created = typeof open
const credentials = (created: Created, userId = 'u_1') => ({
  apiKey: created.values.frontApiKey,
  userId,
  token: plainToken(created.values.authSecretKey, userId),
})
const signIn = (created: Created, origin?: string) =>
  send({ path: '/v1/users/auth', body: credentials(created), ...(origin !== undefined && { origin }) })
const tokenFor = async (created: Created) => (await signIn(created)).answer.sessionToken as string

test.each([SHOP, undefined])('a read from %s depends on who asks, answered or refused', async (origin) => {
  const read = { path: '/v1/inbox/messages', method: 'GET', ...(origin !== undefined && { origin }) }
  const answers = [await send({ ...read, token: await tokenFor(open) }), await send({ ...read, token: 'x' })]
  expect(answers.map(({ status }) => status)).toEqual([200, 401])
  for (const { headers } of answers) expect(headers.get('vary')).toContain('Authorization')
})

test('a session is granted, used and ended, and is refused from then on', async () => {
  const token = await tokenFor(open)
  expect(await send({ path: '/v1/inbox/read-all', token })).toMatchObject({ status: 200 })
  expect(await send({ path: '/v1/inbox/session', method: 'DELETE', token })).toMatchObject({
    status: 200,
    answer: { deleted: true },
  })
  for (const [path, method] of [
    ['/v1/inbox/read-all', 'POST'],
    ['/v1/inbox/session', 'DELETE'],
  ] as const) {
    expect(await send({ path, method, token })).toMatchObject({ status: 401, code: 'auth/invalid-session' })
  }
})

test.each<[string, string | undefined, number, string]>([
  ['[]', 'application/json', 400, 'request/invalid-body'],
  ['{', 'application/json', 400, 'request/invalid-body'],
  ['{}', 'text/plain', 415, 'request/unsupported-media-type'],
  [`{"a":"${'x'.repeat(70_000)}"}`, 'application/json', 413, 'request/payload-too-large'],
  ['{}', 'application/json', 400, 'auth/invalid-inputs'],
  ['{"apiKey":"nc_front_eu_x"}', 'application/json', 401, 'auth/invalid-api-key'],
])('the body %.30s as %s is %i %s', async (body, type, status, code) => {
  const response = await fetch(`${url}/v1/users/auth`, {
    method: 'POST',
    body,
    headers: { 'content-type': type ?? '', 'x-correlation-id': 'mine', origin: SHOP },
  })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ code, correlationId: 'mine' })
  expect(response.headers.get('access-control-allow-origin')).toBe(SHOP)
})

describe('CORS', () => {
  test('a preflight of a widget path allows its origin, without credentials', async () => {
    for (const path of ['/v1/users/auth', '/v1/inbox/messages/msg_1', '/v1/notification/event/register']) {
      const headers = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' }
      const answer = await send({ path, method: 'OPTIONS', origin: EVIL, headers })
      expect([answer.status, answer.readable]).toEqual([204, EVIL])
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect(answer.headers.get('access-control-allow-methods')).toContain(method)
      }
      const allowed = answer.headers.get('access-control-allow-headers')
      for (const name of ['authorization', 'content-type', 'idempotency-key', 'x-correlation-id', 'if-none-match']) {
        expect(allowed).toContain(name)
      }
      expect(answer.headers.get('access-control-max-age')).toBe('7200')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      expect(answer.headers.get('x-correlation-id')).toBeTruthy()
    }
  })

  test.each([
    ['x-csrf-token', ', x-csrf-token'],
    ['authorization,content-type,traceparent,tracestate', ', authorization,content-type,traceparent,tracestate'],
    ['baggage, sentry-trace, x-requested-with', ', baggage, sentry-trace, x-requested-with'],
    ['', ''],
    ['x<script>', ''],
    ['a,,b', ''],
    [`${'a,'.repeat(5_000)} `, ''],
  ])('a preflight that asks for the headers "%.40s" is answered for them', async (asked, added) => {
    for (const path of ['/v1/users/auth', '/v1/inbox/changes', '/v1/notification/event/register']) {
      const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': asked }
      const { headers: answered } = await send({ path, method: 'OPTIONS', origin: SHOP, headers })
      expect(answered.get('access-control-allow-headers')).toBe(
        `authorization, content-type, idempotency-key, x-correlation-id, if-none-match${added}`,
      )
      expect(answered.get('vary')).toContain('Access-Control-Request-Headers')
    }
  })

  test('a preflight from `null` is not allowed, and other paths have no CORS', async () => {
    const headers = { 'access-control-request-method': 'POST' }
    const fromNull = await send({ path: '/v1/users/auth', method: 'OPTIONS', origin: 'null', headers })
    expect([fromNull.status, fromNull.readable]).toEqual([204, null])
    expect((await send({ path: '/v1/events/track', method: 'OPTIONS', origin: SHOP, headers })).readable).toBeNull()
  })

  test('the answer is readable if the environment allows the origin, with the headers that the widget needs', async () => {
    const answer = await signIn(listed, SHOP)
    expect([answer.status, answer.readable, answer.headers.get('vary')]).toEqual([200, SHOP, 'Origin'])
    const exposed = answer.headers.get('access-control-expose-headers')
    for (const name of ['X-Correlation-Id', 'ETag', 'Retry-After', 'RateLimit-Limit']) expect(exposed).toContain(name)
    expect((await signIn(open, EVIL)).readable).toBe(EVIL)
    expect((await signIn(open)).readable).toBeNull()
  })

  test.each([EVIL, 'null'])(
    '%s is refused by an environment that lists origins, without a readable answer or a write',
    async (origin) => {
      const refused = { status: 403, code: 'authorization/not-allowed', readable: null }
      expect(await signIn(listed, origin)).toMatchObject(refused)
      const token = await tokenFor(listed)
      const before = writes
      expect(await send({ path: '/v1/inbox/read-all', token, origin })).toMatchObject(refused)
      expect(writes).toBe(before)
      expect(await send({ path: '/v1/inbox/read-all', token, origin: SHOP })).toMatchObject({
        status: 200,
        readable: SHOP,
      })
    },
  )

  test('`null` is refused by an environment that allows any origin too', async () => {
    expect(await signIn(open, 'null')).toMatchObject({ status: 403, readable: null })
  })

  test('errors before the environment is known are readable: 401, 404, 405', async () => {
    const cases = await Promise.all([
      send({ path: '/v1/inbox/read-all', origin: SHOP }),
      send({ path: '/v1/inbox/read-all', origin: SHOP, token: 'dead' }),
      send({ path: '/v1/inbox/nothing', origin: SHOP }),
      send({ path: '/v1/users/auth', method: 'GET', origin: SHOP }),
    ])
    expect(cases.map(({ status, readable }) => [status, readable])).toEqual([
      [401, SHOP],
      [401, SHOP],
      [404, SHOP],
      [405, SHOP],
    ])
  })
})

test('too many calls from one address are 429, readable, with Retry-After; other addresses are served', async () => {
  const from = (address: string) =>
    send({ path: '/v1/users/auth', body: {}, origin: SHOP, headers: { 'x-forwarded-for': address } })
  for (let i = 0; i < 40; i++) expect((await from('198.51.100.1')).status).toBe(400)
  const refused = await from('198.51.100.1')
  expect(refused).toMatchObject({ status: 429, code: 'request/rate-limited', readable: SHOP })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('ratelimit-limit')).toBe('40')
  expect(refused.headers.get('ratelimit-remaining')).toBe('0')
  expect((await from('198.51.100.2')).status).toBe(400)
})
