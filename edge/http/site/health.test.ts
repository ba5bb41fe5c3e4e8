// Tests liveness, readiness with its reasons, and access to the metrics.

import { z } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { createHttp } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import { addHealthRoutes, type HealthDeps } from './health.ts'
import { createMetrics } from './metrics.ts'

const WAITING = {
  run: { count: 0, oldestMs: 0 },
  job: { count: 2, oldestMs: 1500 },
  mail: { count: 20, oldestMs: 90_000 },
}

interface Options {
  isStopping?: boolean
  isDraining?: boolean
  isDiskLow?: boolean
  isBusUp?: boolean
  metricsToken?: string
  ping?: () => Promise<void>
}

function givenHealth(options: Options = {}) {
  const lines: string[] = []
  const http = createHttp({
    onDefect: (error) => {
      throw error
    },
    onRefused: () => {},
    isDraining: () => options.isDraining === true,
    isDiskLow: () => options.isDiskLow === true,
    callers: { key: () => Promise.reject(new Error('unused')), widget: () => Promise.reject(new Error('unused')) },
  })
  const deps: HealthDeps = {
    isStopping: () => options.isStopping === true,
    isBusUp: () => options.isBusUp !== false,
    ping: options.ping ?? (async () => {}),
    metrics: createMetrics(),
    metricsToken: options.metricsToken ?? null,
    log: createLog('info', (line) => lines.push(line)),
    backlog: () => ({ plans: 3, oldestMs: 1500 }),
    sockets: () => 2,
    jobs: async () => ({ lagMs: 2500, givenUp: { run: 1, job: 4, mail: 0 }, waiting: WAITING, backupAt: null }),
    enrichers: () => ({ openCircuits: 0, underWay: 0, waiting: 0 }),
    disk: () => ({ freeBytes: 1000, isLow: options.isDiskLow === true }),
    retentionBehindMs: () => 0,
    replicaAgeMs: () => null,
    build: { version: '0.1.0', node: '20.19.0', engine: 'SQLite' },
  }
  addHealthRoutes(http, deps)
  return { app: http.app, http, lines, metrics: deps.metrics }
}

test('the service is alive and ready', async () => {
  const { app } = givenHealth()
  for (const [path, body] of [
    ['/healthz', { status: 'alive', version: '0.1.0' }],
    ['/readyz', { status: 'ready' }],
  ] as const) {
    const answer = await app.request(path)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(body)
  }
})

test.each<[string, Options]>([
  ['draining', { isStopping: true }],
  ['store', { ping: () => Promise.reject(new Error('gone')) }],
])('the service is alive and not ready, with the reason %s', async (reason, options) => {
  const { app } = givenHealth(options)
  expect((await app.request('/healthz')).status).toBe(200)
  const answer = await app.request('/readyz')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toMatchObject({
    code: 'service/unavailable',
    reason,
    details: [{ path: reason, message: expect.any(String) }],
  })
})

test.each<[string, Options]>([
  ['redis', { isBusUp: false }],
  ['disk', { isDiskLow: true }],
])('the service stays ready, and names what is impaired: %s', async (path, options) => {
  const { app } = givenHealth(options)
  const answer = await app.request('/readyz')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: 'ready', details: [{ path, message: expect.any(String) }] })
})

test('?verbose names all that was checked', async () => {
  const { app } = givenHealth({ isBusUp: false })
  expect(await (await app.request('/readyz?verbose')).json()).toEqual({
    status: 'ready',
    details: [{ path: 'redis', message: expect.stringContaining('Redis is unreachable') }],
    checks: [
      { name: 'draining', ok: true },
      { name: 'store', ok: true },
      { name: 'redis', ok: false },
      { name: 'disk', ok: true },
    ],
  })
})

test('all reasons are listed, the most serious first', async () => {
  const { app } = givenHealth({ isDiskLow: true, isStopping: true, ping: () => Promise.reject(new Error('gone')) })
  const body = (await (await app.request('/readyz')).json()) as { reason: string; details: { path: string }[] }
  expect([body.reason, body.details.map(({ path }) => path)]).toEqual(['draining', ['draining', 'store', 'disk']])
})

test('while the service drains, calls are refused with 503 and the connection is closed', async () => {
  const { app, http } = givenHealth({ isDraining: true })
  const answers = { answer: { status: 200, schema: z.object({}) }, errors: [] } as const
  const spec = { summary: 's', tag: 't', caller: 'key', role: 'viewer', ...answers } as const
  addRoute(http, { ...spec, method: 'get', path: '/v1/things' }, () => ({}))
  const answer = await app.request('/v1/things')
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(answer.headers.get('connection')).toBe('close')
})

test('the error of an unreachable store is logged once, and is not in the answer', async () => {
  let fault: Error | undefined = new Error('SQLITE_CANTOPEN of the file')
  const { app, lines } = givenHealth({ ping: async () => (fault === undefined ? undefined : Promise.reject(fault)) })
  for (let turn = 0; turn < 3; turn++) expect(await (await app.request('/readyz')).text()).not.toMatch(/SQLITE/)
  expect(lines.filter((line) => line.includes('SQLITE_CANTOPEN'))).toHaveLength(1)
  fault = undefined
  expect((await app.request('/readyz')).status).toBe(200)
  expect(lines).toHaveLength(2)
})

test('concurrent requests share one ping of the store', async () => {
  let pings = 0
  let end = () => {}
  const { app } = givenHealth({
    ping: () => {
      pings += 1
      return new Promise((resolve) => {
        end = resolve
      })
    },
  })
  const answers = Array.from({ length: 20 }, () => app.request('/readyz'))
  await expect.poll(() => pings).toBe(1)
  end()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(pings).toBe(1)
})

test('with a token in the settings, the metrics require it', async () => {
  const { app } = givenHealth({ metricsToken: 'a-token-of-16-chars' })
  const statusWith = async (authorization?: string) =>
    (await app.request('/metrics', authorization === undefined ? {} : { headers: { authorization } })).status
  expect(await statusWith()).toBe(401)
  expect(await statusWith('Bearer a-token-of-16-charz')).toBe(401)
  expect(await statusWith('a-token-of-16-chars')).toBe(401)
  expect(await statusWith('Bearer a-token-of-16-chars')).toBe(200)
})

test.each<[string, { host?: string; from: string; headers?: Record<string, string>; isMetricsPort?: true }, number]>([
  ['this machine', { from: '127.0.0.1' }, 200],
  ['this machine by IPv6', { from: '::1', host: '[::1]:3000' }, 200],
  ['this machine on a socket of both families', { from: '::ffff:127.0.0.1', host: 'localhost:3000' }, 200],
  ['another machine', { from: '10.0.0.7' }, 401],
  ['a proxy of this machine', { from: '127.0.0.1', headers: { 'x-forwarded-for': '203.0.113.9' } }, 401],
  ['a proxy of this machine that passes the host on', { from: '127.0.0.1', host: 'notify.example' }, 401],
  ['another machine at the second port', { from: '10.0.0.7', isMetricsPort: true }, 200],
])('without a token the metrics are open to %s: %o is answered %i', async (_name, call, status) => {
  const { app } = givenHealth()
  const { from, host = '127.0.0.1:3000', headers = {}, isMetricsPort } = call
  const incoming = { socket: { remoteAddress: from }, headers: { host, ...headers } }
  const env = { incoming, ...(isMetricsPort && { isMetricsPort }) }
  expect((await app.request('/metrics', {}, env)).status).toBe(status)
})
