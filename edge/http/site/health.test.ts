// Alive, ready and why not, and who may read the metrics.

import { z } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { createHttp } from '../http.ts'
import { addRoute } from '../route.ts'
import { addHealthRoutes, type HealthDeps } from './health.ts'
import { createMetrics } from './metrics.ts'

interface Wishes {
  isLeaving?: boolean
  isDraining?: boolean
  isDiskLow?: boolean
  isBusUp?: boolean
  metricsToken?: string
  ping?: () => Promise<void>
}

function givenHealth(wishes: Wishes = {}) {
  const lines: string[] = []
  const http = createHttp({
    onDefect: (error) => {
      throw error
    },
    onRefused: () => {},
    isDraining: () => wishes.isDraining === true,
    isDiskLow: () => wishes.isDiskLow === true,
    callers: { key: () => Promise.reject(new Error('unused')), widget: () => Promise.reject(new Error('unused')) },
  })
  const deps: HealthDeps = {
    isLeaving: () => wishes.isLeaving === true,
    isBusUp: () => wishes.isBusUp !== false,
    ping: wishes.ping ?? (async () => {}),
    metrics: createMetrics(),
    metricsToken: wishes.metricsToken ?? null,
    log: createLog('info', (line) => lines.push(line)),
    backlog: () => ({ plans: 3, oldestMs: 1500 }),
    sockets: () => 2,
    jobs: async () => ({ lagMs: 2500, dead: 4 }),
    enrichers: () => ({ openCircuits: 0, underWay: 0, waiting: 0 }),
    disk: () => ({ freeBytes: 1000, isLow: wishes.isDiskLow === true }),
  }
  addHealthRoutes(http, deps)
  return { app: http.app, http, lines, metrics: deps.metrics }
}

test('it is alive and ready', async () => {
  const { app } = givenHealth()
  for (const [path, status] of [
    ['/healthz', 'alive'],
    ['/readyz', 'ready'],
  ] as const) {
    const answer = await app.request(path)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ status })
  }
})

test.each<[string, Wishes]>([
  ['draining', { isLeaving: true }],
  ['redis', { isBusUp: false }],
  ['disk', { isDiskLow: true }],
  ['store', { ping: () => Promise.reject(new Error('gone')) }],
])('it is alive, not ready, and says why: %s', async (reason, wishes) => {
  const { app } = givenHealth(wishes)
  expect((await app.request('/healthz')).status).toBe(200)
  const answer = await app.request('/readyz')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toMatchObject({
    code: 'service/unavailable',
    reason,
    details: [{ path: reason, message: expect.any(String) }],
  })
})

test('of several reasons all are told, the gravest first', async () => {
  const { app } = givenHealth({ isDiskLow: true, isLeaving: true, ping: () => Promise.reject(new Error('gone')) })
  const body = (await (await app.request('/readyz')).json()) as { reason: string; details: { path: string }[] }
  expect([body.reason, body.details.map(({ path }) => path)]).toEqual(['draining', ['draining', 'store', 'disk']])
})

test('while it drains calls are refused with 503, and the connection is given up', async () => {
  const { app, http } = givenHealth({ isDraining: true })
  const answers = { answer: { status: 200, schema: z.object({}) }, errors: [] } as const
  addRoute(http, { summary: 's', tag: 't', caller: 'key', ...answers, method: 'get', path: '/v1/things' }, () => ({}))
  const answer = await app.request('/v1/things')
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(answer.headers.get('connection')).toBe('close')
})

test('why the store is out of reach the log says, once; the answer does not', async () => {
  let fault: Error | undefined = new Error('SQLITE_CANTOPEN of the file')
  const { app, lines } = givenHealth({ ping: async () => (fault === undefined ? undefined : Promise.reject(fault)) })
  for (let turn = 0; turn < 3; turn++) expect(await (await app.request('/readyz')).text()).not.toMatch(/SQLITE/)
  expect(lines.filter((line) => line.includes('SQLITE_CANTOPEN'))).toHaveLength(1)
  fault = undefined
  expect((await app.request('/readyz')).status).toBe(200)
  expect(lines).toHaveLength(2)
})

test('those who ask at a time share one look at the store', async () => {
  let looks = 0
  let end = () => {}
  const { app } = givenHealth({
    ping: () => {
      looks += 1
      return new Promise((resolve) => {
        end = resolve
      })
    },
  })
  const asked = Array.from({ length: 20 }, () => app.request('/readyz'))
  await expect.poll(() => looks).toBe(1)
  end()
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(looks).toBe(1)
})

test('with a token set the metrics are read with it alone', async () => {
  const { app } = givenHealth({ metricsToken: 'a-token-of-16-chars' })
  const statusWith = async (authorization?: string) =>
    (await app.request('/metrics', authorization === undefined ? {} : { headers: { authorization } })).status
  expect(await statusWith()).toBe(401)
  expect(await statusWith('Bearer a-token-of-16-charz')).toBe(401)
  expect(await statusWith('a-token-of-16-chars')).toBe(401)
  expect(await statusWith('Bearer a-token-of-16-chars')).toBe(200)
})
