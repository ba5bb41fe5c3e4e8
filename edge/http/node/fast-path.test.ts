// Tests which requests the fast path serves, and that it answers as Hono does.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import { createHttp } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import { createLoadShedding } from '../limits/load-shedding.ts'
import { createNodeServer } from './node-server.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function givenServer() {
  const state = { draining: false, throughHono: 0, reports: [] as string[] }
  const http = createHttp({
    onDefect: () => state.reports.push('defect'),
    onRefused: (code) => state.reports.push(code),
    onAnswered: ({ path }, status) => state.reports.push(`${path} ${status}`),
    isDraining: () => state.draining,
    callers: { key: () => Promise.reject(new Error('unused')), widget: () => Promise.reject(new Error('unused')) },
  })
  http.app.use(async (_c, next) => {
    state.throughHono++
    await next()
  })
  const spec = {
    method: 'post',
    tag: 't',
    summary: 'Echo',
    caller: 'bearer',
    errors: [],
    isFastPath: true,
    answer: { status: 202, schema: z.object({}) },
  } as const
  addRoute(http, { ...spec, path: '/v1/echo', body: z.object({ a: z.string() }) }, ({ body, headers }) => {
    if (body.a === 'refused') throw new ApiError('request/rate-limited', { retryAfterSeconds: 7 })
    if (body.a === 'broken') throw new Error('a defect')
    headers['ratelimit-limit'] = '5'
    return { ...body, text: 'grün' }
  })
  addRoute(http, { ...spec, path: '/v1/page' }, () => new Response('a page'))
  const loadShedding = createLoadShedding({ backlog: () => ({ oldestMs: 0 }), limits: { freeBytes: 1000 } })
  const server = createNodeServer(http.app, http, { loadShedding, fastRoutes: http })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { state, url }
}

type Sent = { body?: string; headers?: Record<string, string> }
const GOOD = { authorization: 'Bearer x', 'content-type': 'application/json', 'x-correlation-id': 'mine' }

async function send(url: string, { body = '{"a":"b"}', headers = GOOD }: Sent) {
  const response = await fetch(url, { method: 'POST', body, headers })
  const { date, ...others } = Object.fromEntries(response.headers)
  return { status: response.status, headers: others, body: await response.text() }
}

test.each<[string, Sent, boolean]>([
  ['a common request', {}, true],
  ['a request that the handler refuses', { body: '{"a":"refused"}' }, true],
  ['a defect', { body: '{"a":"broken"}' }, true],
  ['invalid JSON', { body: '{' }, true],
  ['a body that the schema refuses', { body: '{}' }, true],
  ['an invalid correlation id', { headers: { ...GOOD, 'x-correlation-id': 'ä b' } }, true],
  ['a long body', { body: JSON.stringify({ a: 'x'.repeat(1000) }) }, false],
  ['another type', { headers: { ...GOOD, 'content-type': 'text/plain' } }, false],
  ['a type with its charset', { headers: { ...GOOD, 'content-type': 'application/json; charset=utf-8' } }, false],
  ['an encoded body', { headers: { ...GOOD, 'content-encoding': 'gzip' } }, false],
  ['no credential', { headers: { 'content-type': 'application/json', 'x-correlation-id': 'mine' } }, false],
  ['another scheme', { headers: { ...GOOD, authorization: 'Basic x' } }, false],
])('%s gets the same answer from the fast path and Hono', async (_name, sent, isFastPath) => {
  const { state, url } = await givenServer()
  const ours = await send(`${url}/v1/echo`, sent)
  const reports = state.reports.splice(0)
  expect(state.throughHono).toBe(isFastPath ? 0 : 1)
  // The same path to Hono, but not a key of the fast routes.
  const hono = await send(`${url}/v1/ech%6f`, sent)
  expect(state.throughHono).toBe(isFastPath ? 1 : 2)
  const withoutId = (answer: typeof ours) =>
    sent.headers?.['x-correlation-id'] === 'ä b'
      ? JSON.stringify(answer).replaceAll(answer.headers['x-correlation-id'] ?? '', 'ID')
      : answer
  expect(withoutId(ours)).toEqual(withoutId(hono))
  expect(reports).toEqual(state.reports)
  expect(reports.length).toBeGreaterThan(0)
})

test('while the service drains, Hono serves all requests, because it handles unread bodies', async () => {
  const { state, url } = await givenServer()
  state.draining = true
  const { status, headers } = await send(`${url}/v1/echo`, {})
  expect([status, headers.connection, state.throughHono]).toEqual([503, 'close', 1])
})

test('a fast route that returns a Response is reported and answered as a defect', async () => {
  const { state, url } = await givenServer()
  const { status, body } = await send(`${url}/v1/page`, {})
  expect([status, JSON.parse(body).code, state.throughHono]).toEqual([500, 'other/unknown', 0])
  expect(state.reports).toContain('defect')
})

test('a connection stays open for the next request', async () => {
  const { state, url } = await givenServer()
  for (let i = 0; i < 5; i++) expect((await send(`${url}/v1/echo`, {})).status).toBe(202)
  expect(state.throughHono).toBe(0)
})
