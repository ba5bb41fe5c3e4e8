// Tests /v1/enrichers on a running edge: create, list, change, remove, audit and trial calls; changes apply at once.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  answer,
  type Endpoint,
  type PublicEndpoint,
  startPlainEndpoint,
  startPublicEndpoint,
} from '../support/endpoint.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let endpoint: Endpoint
let publicEndpoint: PublicEndpoint
beforeAll(async () => {
  publicEndpoint = await startPublicEndpoint()
  given = await givenEdge({}, { outbound: publicEndpoint.outbound })
  cli = givenNc(given.settings)
  endpoint = await startPlainEndpoint()
})
afterAll(async () => {
  await given.stop()
  await endpoint.close()
  await publicEndpoint.close()
})
beforeEach(() => {
  endpoint.requests.length = 0
})

const call = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  name: 'dev' | 'prod' = 'dev',
) =>
  given.call<T>(method, `/v1/enrichers${path}`, {
    key: given.demo.environments[name].sdkSecretKey,
    ...(body !== undefined && { body }),
  })

interface Trial {
  ok: boolean
  data?: unknown
  error?: { code: string; message: string }
  attempts: number
  durationMs: number
}

test('an enricher is created, read, replaced, listed newest first, and removed', async () => {
  const { url } = endpoint
  const added = await call('PUT', '/first', { url, timeoutMs: 200, cacheSeconds: 60 })
  expect(added.status).toBe(200)
  const { createdAt, updatedAt, ...fields } = added.body
  expect(fields).toEqual({ name: 'first', url, timeoutMs: 200, cacheSeconds: 60 })
  expect([createdAt, updatedAt].every((time) => !Number.isNaN(Date.parse(String(time))))).toBe(true)
  expect((await call('PUT', '/first', { url })).body).toMatchObject({ timeoutMs: 5000, cacheSeconds: 0, createdAt })
  await call('PUT', '/second', { url })
  expect((await call('GET', '/first')).body).toMatchObject({ name: 'first', url })
  const page = await call<{ data: { name: string }[]; nextCursor: string }>('GET', '?limit=1')
  expect(page.body.data.map(({ name }) => name)).toEqual(['second'])
  const next = await call<{ data: { name: string }[]; nextCursor: null }>('GET', `?cursor=${page.body.nextCursor}`)
  expect(next.body).toMatchObject({ data: [{ name: 'first' }], nextCursor: null })
  expect((await call('DELETE', '/second')).body).toEqual({ deleted: true })
  for (const [method, path] of [
    ['GET', '/second'],
    ['DELETE', '/second'],
    ['POST', '/second/test'],
  ] as const) {
    const missing = await call(method, path, method === 'POST' ? { params: {} } : undefined)
    expect([missing.status, missing.body.code]).toEqual([404, 'enricher/not-found'])
  }
  // Enrichers of one environment are unknown in another.
  expect((await call('GET', '/first', undefined, 'prod')).status).toBe(404)
})

test('an invalid enricher is refused with the path of each error, and a key that may not manage changes nothing', async () => {
  const refused = await call<{ code: string; details: { path: string }[] }>('PUT', '/a%20b', {
    url: 'ftp://x',
    timeoutMs: 1,
  })
  expect([refused.status, refused.body.code]).toEqual([400, 'request/invalid-body'])
  expect(refused.body.details.map(({ path }) => path)).toEqual(['name', 'url', 'timeoutMs'])
  const put = await call('PUT', '/first', { url: endpoint.url }, 'prod')
  expect([put.status, put.body.code]).toEqual([403, 'authorization/not-allowed'])
  expect((await call('DELETE', '/first', undefined, 'prod')).status).toBe(403)
})

test('changes are in the audit log, without the query of the URL', async () => {
  await call('PUT', '/audited', { url: `${endpoint.url}?token=hidden` })
  await call('DELETE', '/audited')
  const env = given.demo.environments.dev.id
  const rows = await cli.json<{ action: string; subject: string; detail: object; who: string }[]>(
    `audit list --env ${env} --action enricher --limit 2`,
  )
  expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
    ['enricher.delete', 'audited'],
    ['enricher.put', 'audited'],
  ])
  expect(JSON.stringify(rows)).not.toContain('hidden')
  expect(rows.every(({ who }) => who.startsWith('sec_'))).toBe(true)
})

test('a change by the command line applies to the server within a second', async () => {
  const env = given.demo.environments.dev.id
  await cli.json(`enricher put --env ${env} --name moved --url ${endpoint.url} --cache 60`)
  expect((await call<Trial>('POST', '/moved/test', { params: { n: 1 } })).body).toMatchObject({
    ok: true,
    data: { echo: { n: 1 } },
  })
  const other = await startPlainEndpoint()
  await cli.json(`enricher put --env ${env} --name moved --url ${other.url}`)
  await within(1000, async () => {
    expect((await call<Trial>('POST', '/moved/test', { params: {} })).body.ok).toBe(true)
    expect(other.requests.length).toBeGreaterThan(0)
  })
  expect((await cli.json<{ name: string }[]>(`enricher list --env ${env}`)).map(({ name }) => name)).toContain('moved')
  expect(await cli.json(`enricher test --env ${env} --name moved`)).toMatchObject({ ok: true, attempts: 1 })
  const refused = await cli.nc(`enricher put --env ${env} --name a/b --url nowhere --timeout 1`)
  expect([
    refused.code,
    ...refused.err
      .split('\n')
      .slice(1, 4)
      .map((line) => line.trim().split(':')[0]),
  ]).toEqual([1, 'name', 'url', 'timeoutMs'])
  await cli.json(`enricher delete --env ${env} --name moved`)
  await within(1000, async () => expect((await call('POST', '/moved/test', { params: {} })).status).toBe(404))
  await other.close()
})

test('a trial is a real call with retries, and its answer has the result, the attempts and the duration', async () => {
  await call('PUT', '/tried', { url: endpoint.url })
  const echo = endpoint.handle
  let calls = 0
  endpoint.handle = (request, response, received) =>
    calls++ === 0 ? answer(response, 502, 'no', { 'content-type': 'text/plain' }) : echo(request, response, received)
  const tried = await call<Trial>('POST', '/tried/test', {
    params: { orderId: '7' },
    user: { id: 'u_9', locale: 'fr' },
  })
  expect(tried.body).toMatchObject({ ok: true, name: 'tried', data: { echo: { orderId: '7' } }, attempts: 2 })
  expect(tried.body.durationMs).toBeGreaterThanOrEqual(1000)
  const payload = JSON.parse(endpoint.requests[0]?.body.payload ?? '{}') as { user: object; event: object; id: string }
  const profile = { email: null, name: null, locale: 'fr', timeZone: null, attributes: {}, externalIds: {} }
  expect(payload.user).toEqual({ id: 'u_9', ...profile })
  expect(payload.event).toMatchObject({ name: 'test', userId: 'u_9', properties: {} })
  expect(endpoint.requests.map(({ headers }) => headers['webhook-id'])).toEqual([payload.id, payload.id])
  endpoint.handle = (_, response) =>
    answer(response, 400, { ok: false, error: { code: 'input-invalid', message: 'no' } })
  const failed = await call<Trial>('POST', '/tried/test', { params: {} })
  expect([failed.status, failed.body]).toEqual([
    200,
    {
      ok: false,
      name: 'tried',
      error: { code: 'input-invalid', message: 'no' },
      attempts: 1,
      durationMs: expect.any(Number),
    },
  ])
  endpoint.handle = echo
})

test('public addresses are called over TLS, and an answer about a refused address does not reveal it', async () => {
  await call('PUT', '/public', { url: publicEndpoint.url })
  expect((await call<Trial>('POST', '/public/test', { params: { n: 2 } })).body).toMatchObject({
    ok: true,
    data: { echo: { n: 2 } },
  })
  publicEndpoint.addressesOf = () => ['169.254.169.254']
  await call('PUT', '/public', { url: publicEndpoint.url.replace('customer.', 'inside.customer.') })
  const blocked = await call<Trial>('POST', '/public/test', { params: {} })
  expect(blocked.body).toMatchObject({ ok: false, error: { code: 'blocked-address' }, attempts: 1 })
  expect(JSON.stringify(blocked.body)).not.toMatch(/169\.254|inside/)
})

test('the metrics count calls without environments, names and addresses', async () => {
  const { body } = await given.call<string>('GET', '/metrics')
  expect(body).toMatch(/nc_enricher_calls_total\{outcome="ok"\} [1-9]/)
  expect(body).toMatch(/nc_enricher_calls_total\{outcome="blocked-address"\} [1-9]/)
  expect(body).toMatch(/nc_enricher_attempt_seconds_count [1-9]/)
  expect(body).toContain('nc_enricher_circuits_open 0')
  expect(body).not.toMatch(/\btried\b|customer\.example|env_/)
})
