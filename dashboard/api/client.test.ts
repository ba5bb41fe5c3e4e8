// Tests the calls of the dashboard: what is sent, and what becomes of refusals.

import { expect, test } from 'vitest'
import { withQuery } from './addresses.ts'
import { ApiFailure, createApiClient } from './client.ts'

function given(answer: () => Response | Promise<Response>, isRenewed = false) {
  const sent: { url: string; init: RequestInit }[] = []
  const asked: boolean[] = []
  const client = createApiClient({
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init ?? {} })
      return answer()
    },
    async renew(isChange) {
      asked.push(isChange)
      return isRenewed
    },
  })
  return { client, sent, asked }
}

const refusal =
  (status: number, body: object, headers = {}) =>
  () =>
    Response.json(body, { status, headers })

test('every call has the header against calls of other sites; a body is JSON', async () => {
  const { client, sent } = given(() => Response.json({ done: true }))
  await client.get('/v1/a', { status: 'failed', branch: '', cursor: undefined })
  await client.send('POST', '/v1/b', { x: 1 })
  expect(sent.map(({ url }) => url)).toEqual(['/v1/a?status=failed&branch=', '/v1/b'])
  for (const { init } of sent) expect(init).toMatchObject({ headers: { 'x-nc-request': '1' } })
  expect(sent[1]?.init).toMatchObject({ body: '{"x":1}', headers: { 'content-type': 'application/json' } })
})

test('a refusal has its message, reason, correlation id and time to wait', async () => {
  const body = { code: 'request/rate-limited', message: 'Too many requests.', reason: 'pair', correlationId: 'c-1' }
  const { client } = given(refusal(429, body, { 'retry-after': '12' }))
  const failure = await client.get('/v1/a').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  expect(failure).toMatchObject({ status: 429, message: 'Too many requests.', retryAfterSeconds: 12, body })
})

test('the end of the session is reported once, but not for a wrong password', async () => {
  const ended = given(refusal(401, { code: 'auth/unauthenticated' }))
  await ended.client.get('/v1/dashboard/auth/me').catch(() => {})
  expect(ended.asked).toEqual([false])
  await ended.client.send('POST', '/v1/dashboard/auth/sign-in', {}).catch(() => {})
  await ended.client.send('POST', '/v1/dashboard/auth/sign-out').catch(() => {})
  expect(ended.asked).toEqual([false])
  const wrong = given(refusal(401, { code: 'auth/unauthenticated', reason: 'wrong-credentials' }))
  await wrong.client.send('PUT', '/v1/dashboard/auth/password', {}).catch(() => {})
  expect(wrong.asked).toEqual([])
})

test('after a renewed session the same call is sent once more, and no third time', async () => {
  const answers = [refusal(401, { code: 'auth/unauthenticated' })(), Response.json({ done: true })]
  const renewed = given(() => answers.shift() as Response, true)
  expect(await renewed.client.send('PUT', '/v1/a', { name: 'typed' })).toEqual({ done: true })
  expect(renewed.asked).toEqual([true])
  expect(renewed.sent.map(({ url, init }) => [url, init.method, init.body])).toEqual([
    ['/v1/a', 'PUT', '{"name":"typed"}'],
    ['/v1/a', 'PUT', '{"name":"typed"}'],
  ])
  const still = given(refusal(401, { code: 'auth/unauthenticated' }), true)
  expect(await still.client.get('/v1/a').catch((error: unknown) => error)).toBeInstanceOf(ApiFailure)
  expect(still.sent).toHaveLength(2)
  const declined = given(refusal(401, { code: 'auth/unauthenticated' }))
  await declined.client.get('/v1/a').catch(() => {})
  expect(declined.sent).toHaveLength(1)
})

test('an answer that is no JSON, and none at all, are failures with words for people', async () => {
  const proxy = given(() => new Response('<html>', { status: 502, headers: { 'x-correlation-id': 'c-2' } }))
  expect(await proxy.client.get('/v1/a').catch((error: unknown) => error)).toMatchObject({
    status: 502,
    message: 'The server answered 502.',
    body: { correlationId: 'c-2' },
  })
  const offline = given(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await offline.client.get('/v1/a').catch((error: unknown) => error)).toMatchObject({
    status: 0,
    message: expect.stringContaining('out of reach'),
  })
})

test('a call that was begun before takes its answer, and is sent when there is none', async () => {
  const early = new Map([['/v1/a?limit=100', { data: ['early'] }]])
  const sent: string[] = []
  const client = createApiClient({
    fetch: async (url) => {
      sent.push(String(url))
      return Response.json({ data: [] })
    },
    takeEarly: async (address) => early.get(address),
    renew: async () => false,
  })
  expect(await client.get('/v1/a', { limit: 100 })).toEqual({ data: ['early'] })
  expect(await client.get('/v1/a')).toEqual({ data: [] })
  expect(sent).toEqual(['/v1/a'])
})

test('a query without values is none', () => expect(withQuery('/a', { x: undefined })).toBe('/a'))
