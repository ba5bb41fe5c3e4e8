// Tests overload on a real edge with low limits: codes, early refusals and an exact ledger; overload.deep.test.ts has floods.

import { afterEach, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { headOf, openRaw } from '../support/raw-http.ts'
import { acceptedOf, listEvents, sendBatch } from './send-batches.ts'

let given: GivenEdge
afterEach(() => given.stop())

test('a refused caller is refused again before its body is read, on the same connection', async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { loadLimits: { events: 10 } })
  const { sdkSecretKey } = given.demo.environments.dev
  expect((await sendBatch(given, 0, 11)).status).toBe(503)
  const head = (length: number) =>
    `${headOf('POST', '/v1/events/track/batch', {
      Authorization: `Bearer ${sdkSecretKey}`,
      'Content-Type': 'application/json',
      'Content-Length': String(length),
    })}\r\n`

  // The answer comes after half a body; the rest is discarded, and the connection serves the next request.
  const small = openRaw(given.url, head(20) + '{'.repeat(10))
  await expect.poll(small.statuses).toEqual([503])
  small.socket.write('}'.repeat(10) + `${headOf('GET', '/healthz')}\r\n`)
  await expect.poll(small.statuses).toEqual([503, 200])
  small.socket.destroy()

  // A large body is not read to its end.
  const large = openRaw(given.url, head(1024 * 1024))
  await large.closed
  expect(large.statuses()).toEqual([503])
  expect(large.text()).toMatch(/\r\nconnection: close\r\n/i)

  // Other callers and other calls are not refused.
  expect((await given.track({ name: 'a', userId: 'u' }, 'prod')).status).toBe(202)
  expect((await given.call('GET', '/v1/events', { key: sdkSecretKey })).status).toBe(200)
})

test('a large body is refused when there is no space for it, while small events are accepted', async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { loadLimits: { bodyBytes: 200 * 1024 } })
  const { sdkSecretKey } = given.demo.environments.dev
  const headers = { Authorization: `Bearer ${sdkSecretKey}`, 'Content-Type': 'application/json' }
  const head = `${headOf('POST', '/v1/events/track', { ...headers, 'Content-Length': '250000' })}\r\n`
  const half = openRaw(given.url, head + 'x'.repeat(150 * 1024))
  const next = openRaw(given.url, head)
  // The first request's bytes are counted after one or two turns of the event loop; then no space is left.
  const timer = setInterval(() => next.socket.write('x'.repeat(20 * 1024)), 20)
  await next.closed
  clearInterval(timer)
  expect(next.statuses()).toEqual([503])
  expect(next.text()).toContain('"reason":"bodies"')
  expect((await given.track({ name: 'a', userId: 'u' })).status).toBe(202)
  half.socket.destroy()
  await half.closed
  const properties = { pad: Array.from({ length: 3 }, () => 'x'.repeat(60_000)) }
  await expect.poll(async () => (await given.track({ name: 'a', userId: 'u', properties })).status).toBe(202)
})

test('a full commit queue refuses further events, and loses none that it acknowledged', async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { queue: { keptPlans: 50, batchPlans: 5 } })
  const answers = await Promise.all(Array.from({ length: 30 }, (_, number) => sendBatch(given, number, 20)))
  for (const { status } of answers) expect([202, 503]).toContain(status)
  const codes = new Set(answers.flatMap(({ body }) => (body.results ?? []).map(({ code }) => code)))
  expect([...codes].filter((code) => code !== undefined)).toEqual(['service/unavailable'])
  expect((await listEvents(given, 'dev')).sort()).toEqual(acceptedOf(answers).sort())
})
