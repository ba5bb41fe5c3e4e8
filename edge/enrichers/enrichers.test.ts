// Tests calls over real servers: the cache, one call for equal questions, slots, circuits, and stopping.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { answer, type Endpoint, startPlainEndpoint } from '../test/support/endpoint.ts'
import { type GivenEnrichers, type GivenOptions, givenEnrichers } from '../test/support/given-enrichers.ts'
import { createResultCache } from './result-cache.ts'

/** Lasts longer than any test. */
const HANGS = { timeoutMs: 60_000 }

let endpoint: Endpoint
let given: GivenEnrichers
let count: number
beforeAll(async () => {
  endpoint = await startPlainEndpoint()
})
afterAll(() => endpoint.close())
beforeEach(() => {
  start()
  count = 0
  endpoint.requests.length = 0
  endpoint.handle = (_, response) => answer(response, 200, { ok: true, data: { count: ++count } })
})
afterEach(() => {
  vi.useRealTimers()
  return given.close()
})

function start(options: GivenOptions = {}): void {
  given = givenEnrichers({ allow: ['127.0.0.0/8'], ...options })
}

/** Stops the enrichers while calls hang, and ends the time that these have at once. */
async function stopAtOnce(): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stopped = given.enrichers.stop()
  vi.advanceTimersByTime(2000)
  vi.useRealTimers()
  await stopped
}

describe('the cache', () => {
  test('an answer is kept for its seconds, for the same params and user', async () => {
    given.put('order', endpoint.url, { cacheSeconds: 60 })
    expect(given.enrichers.findCached(given.callOf('order'))).toBeUndefined()
    expect(await given.ask('order')).toMatchObject({ ok: true, data: { count: 1 }, cached: false })
    const again = { event: { name: 'another' }, callId: 'enr_2' }
    expect(await given.ask('order', again)).toMatchObject({ data: { count: 1 }, cached: true, attempts: 0 })
    expect(given.enrichers.findCached(given.callOf('order'))).toMatchObject({ data: { count: 1 }, cached: true })
    expect(await given.ask('order', { params: { orderId: '2' } })).toMatchObject({ data: { count: 2 } })
    expect(await given.ask('order', { user: { id: 'u_2' } })).toMatchObject({ data: { count: 3 } })
    given.clock.at += 60_000
    expect(await given.ask('order')).toMatchObject({ data: { count: 4 }, cached: false })
    expect(given.outcomes).toEqual(['ok', 'cached', 'cached', 'ok', 'ok', 'ok'])
  })

  test('another environment has its own answers', async () => {
    given.put('order', endpoint.url, { cacheSeconds: 60 })
    given.put('order', endpoint.url, { cacheSeconds: 60, environmentId: 8 })
    expect(await given.ask('order')).toMatchObject({ data: { count: 1 } })
    expect(await given.ask('order', { environmentId: 8 })).toMatchObject({ data: { count: 2 }, cached: false })
  })

  test('without cacheSeconds no answer is cached', async () => {
    given.put('order', endpoint.url)
    await given.ask('order')
    expect(await given.ask('order')).toMatchObject({ data: { count: 2 }, cached: false })
    expect(given.enrichers.findCached(given.callOf('order'))).toBeUndefined()
  })

  test('failures are not cached, and a trial neither reads nor writes the cache', async () => {
    given.put('order', endpoint.url, { cacheSeconds: 60 })
    const good = endpoint.handle
    endpoint.handle = (_, response) =>
      answer(response, 400, { ok: false, error: { code: 'input-invalid', message: 'no' } })
    expect(await given.ask('order')).toMatchObject({ ok: false })
    endpoint.handle = good
    expect(await given.ask('order', { isTest: true })).toMatchObject({ data: { count: 1 } })
    expect(await given.ask('order')).toMatchObject({ data: { count: 2 }, cached: false })
    expect(await given.ask('order', { isTest: true })).toMatchObject({ data: { count: 3 }, cached: false })
  })

  test('changed settings use a new cache entry, and a removed enricher has none', async () => {
    given.put('order', endpoint.url, { cacheSeconds: 60 })
    await given.ask('order')
    given.put('order', `${endpoint.url}?v=2`, { cacheSeconds: 60 })
    expect(await given.ask('order')).toMatchObject({ data: { count: 2 }, cached: false })
    given.remove('order')
    expect(given.enrichers.findCached(given.callOf('order'))).toBeUndefined()
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'unknown-enricher', attempts: 0 })
  })

  test('a run that changes its answer does not change that of another', async () => {
    given.put('order', endpoint.url, { cacheSeconds: 60 })
    const first = await given.ask('order')
    if (first.ok) (first.data as { count: number }).count = 99
    expect(await given.ask('order')).toMatchObject({ data: { count: 1 } })
  })

  test('equal calls at the same time share one request', async () => {
    given.put('order', endpoint.url, { cacheSeconds: 60 })
    const results = await Promise.all(Array.from({ length: 20 }, () => given.ask('order')))
    expect(results.every((result) => result.ok && (result.data as { count: number }).count === 1)).toBe(true)
    expect(endpoint.requests).toHaveLength(1)
  })

  test('its memory is limited: the oldest entries are dropped', () => {
    const cache = createResultCache({ now: () => 0 }, 10_000)
    for (let n = 0; n < 100; n++) cache.keep(`key-${n}`, 'x'.repeat(800), 60)
    const left = Array.from({ length: 100 }, (_, n) => n).filter((n) => cache.find(`key-${n}`) !== undefined)
    expect(left).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99])
    cache.keep('key-99', 'y', 60)
    expect(cache.find('key-99')).toBe('y')
  })
})

describe('an endpoint that hangs', () => {
  test('uses only its own slots: other environments and enrichers continue meanwhile', async () => {
    await given.close()
    start({ limits: { perEndpoint: 4, perEnvironment: 6, waitingPerEndpoint: 2, waitMs: 60_000 } })
    const good = endpoint.handle
    endpoint.handle = (request, response, received) => {
      if (received.body.name !== 'hangs') good(request, response, received)
    }
    given.put('hangs', endpoint.url, HANGS)
    given.put('good', endpoint.url)
    given.put('good', endpoint.url, { environmentId: 8 })
    const hanging = Array.from({ length: 6 }, (_, n) => given.ask('hangs', { callId: `enr_${n}` }))
    await expect.poll(() => given.enrichers.state()).toMatchObject({ underWay: 4, waiting: 2 })
    // No call ends later, in another test.
    await expect.poll(() => endpoint.requests.length).toBe(4)
    expect(await given.ask('hangs')).toMatchObject({ ok: false, code: 'busy', attempts: 0 })
    for (let n = 0; n < 50; n++) {
      expect(await given.ask('good', { environmentId: 8 })).toMatchObject({ ok: true })
      expect(await given.ask('good')).toMatchObject({ ok: true })
    }
    expect(given.enrichers.state()).toMatchObject({ underWay: 4, waiting: 2 })
    const settled = Promise.allSettled(hanging)
    await stopAtOnce()
    expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['rejected']))
  })

  test('a busy one returns when to retry, spread over some seconds', async () => {
    await given.close()
    start({ limits: { perEndpoint: 1, waitingPerEndpoint: 0 } })
    endpoint.handle = () => {}
    given.put('hangs', endpoint.url, HANGS)
    const hanging = given.ask('hangs')
    await expect.poll(() => endpoint.requests.length).toBe(1)
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        given.ask('hangs', { callId: `enr_${(n * 1237).toString(16).padStart(32, '0')}` }),
      ),
    )
    const pauses = results.map((result) => (result.ok ? 0 : (result.retryAfterMs ?? 0)))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(2000)
    expect(Math.max(...pauses)).toBeLessThan(10_000)
    expect(new Set(pauses).size).toBeGreaterThan(40)
    const settled = Promise.allSettled([hanging])
    await stopAtOnce()
    await settled
  })
})

describe('the circuit', () => {
  const down: Endpoint['handle'] = (_, response) => answer(response, 503, 'down', { 'content-type': 'text/plain' })

  test('opens after ten failures in a row; then nothing is sent until one probes', async () => {
    given.put('order', endpoint.url)
    given.put('order', endpoint.url, { environmentId: 8 })
    const good = endpoint.handle
    endpoint.handle = down
    for (let n = 0; n < 3; n++) expect(await given.ask('order')).toMatchObject({ code: 'bad-status', attempts: 3 })
    expect(await given.ask('order')).toMatchObject({ code: 'bad-status', attempts: 1 })
    expect(endpoint.requests).toHaveLength(10)
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'circuit-open', attempts: 0 })
    expect(endpoint.requests).toHaveLength(10)
    expect(given.enrichers.state().openCircuits).toBe(1)
    // Another environment has its own circuit for the same address.
    expect(await given.ask('order', { environmentId: 8 })).toMatchObject({ attempts: 3 })
    endpoint.handle = good
    given.clock.at += 10_000
    expect(await given.ask('order')).toMatchObject({ ok: true, attempts: 1 })
    expect(given.enrichers.state().openCircuits).toBe(0)
    const lines = given.log.map((line) => JSON.parse(line) as Record<string, unknown>)
    const reported = lines.filter(({ level }) => level !== 'debug')
    expect(reported.map(({ level, code, enricher, durationMs }) => [level, code, enricher, durationMs])).toEqual([
      ['warn', 'bad-status', 'order', 10_000],
      ['info', undefined, 'order', undefined],
    ])
  })

  test('a trial passes an open one, and a success closes it', async () => {
    given.put('order', endpoint.url)
    const good = endpoint.handle
    endpoint.handle = down
    for (let n = 0; n < 4; n++) await given.ask('order')
    expect(await given.ask('order')).toMatchObject({ code: 'circuit-open' })
    endpoint.handle = good
    expect(await given.ask('order', { isTest: true })).toMatchObject({ ok: true })
    expect(await given.ask('order')).toMatchObject({ ok: true })
  })

  test('an enricher that refuses in the documented form is not down', async () => {
    given.put('order', endpoint.url)
    endpoint.handle = (_, response) =>
      answer(response, 500, { ok: false, error: { code: 'handler-error', message: 'x' } })
    for (let n = 0; n < 5; n++) expect(await given.ask('order')).toMatchObject({ code: 'handler-error', attempts: 3 })
  })
})

test('stopping refuses new calls, lets quick ones end and aborts the others', async () => {
  given.put('order', endpoint.url)
  const good = endpoint.handle
  let release = () => {}
  endpoint.handle = (request, response, received) => {
    if (received.body.params.hang !== true) release = () => good(request, response, received)
  }
  const slow = given.ask('order', { params: {} })
  const hanging = expect(given.ask('order', { params: { hang: true } })).rejects.toMatchObject({
    code: 'service/unavailable',
  })
  await expect.poll(() => endpoint.requests.length).toBe(2)
  // The test ends the time limit itself, so that a paused machine does not.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stopped = given.enrichers.stop()
  await expect(given.ask('order')).rejects.toMatchObject({ code: 'service/unavailable' })
  release()
  expect(await slow).toMatchObject({ ok: true })
  vi.advanceTimersByTime(2000)
  vi.useRealTimers()
  await hanging
  await stopped
})

test('a store that cannot be read is our own failure: the call rejects', async () => {
  given.put('order', endpoint.url)
  await given.ask('order')
  const broken = new Error('the secrets are gone')
  Object.defineProperty(given, 'secrets', {
    get() {
      throw broken
    },
  })
  await expect(given.ask('order')).rejects.toBe(broken)
})
