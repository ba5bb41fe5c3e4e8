// Tests the retries with a real server: which failures are repeated, which are not, and what the error contains.

import { once } from 'node:events'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NotificationRequestError } from '../index.ts'
import { answerJson, type GivenServer, givenClient, givenServer, SECRETS } from '../test/given.ts'

const EVENT = { name: 'order.shipped', userId: 'u_42', properties: { orderId: 'A-1' } }
const TAKEN = { eventId: 'evt_1', correlationId: 'req-1', duplicate: false, receivedAt: '2026-01-01T00:00:00.000Z' }

/** Runs a server in its own thread: reports a request, answers, and sets the cell. */
const ANSWERING = `
  const { parentPort, workerData: { cell, taken } } = require('node:worker_threads')
  const server = require('node:http').createServer((request, response) => {
    parentPort.postMessage('asked')
    response.writeHead(202, { 'content-type': 'application/json' })
    response.end(taken, () => {
      Atomics.store(cell, 0, 1)
      Atomics.notify(cell, 0)
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

let server: GivenServer | undefined
afterEach(async () => {
  vi.useRealTimers()
  await server?.stop()
})

async function given(answer: Parameters<typeof givenServer>[0], options: Parameters<typeof givenClient>[0] = {}) {
  server = await givenServer(answer)
  return { server, client: givenClient({ baseUrl: server.url, retryDelaysMs: [1, 1], ...options }) }
}

/** Returns the error of a call that must fail. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('the call must fail'),
    (error: unknown) => error,
  )
}

test('user ids that are whole numbers are sent as their digits, and others refused', async () => {
  const { server, client } = await given((response) => answerJson(response, 202, { ...TAKEN, results: [] }))
  await client.track({ name: 'a', userId: 42 })
  await client.trackBatch([{ name: 'a', userIds: [7, 'u', 9007199254740993n] }])
  const [one, many] = server.bodies.map((body) => JSON.parse(body))
  expect(one.userId).toBe('42')
  expect(many.events[0].userIds).toEqual(['7', 'u', '9007199254740993'])
  const faulty = { name: 'a', userIds: ['u', 2 ** 53] }
  await expect(client.trackBatch([faulty])).rejects.toThrow('events[0].userIds[1]')
})

test('a good answer is given as it is, and the key stands in header and body', async () => {
  const { server, client } = await given((response) => answerJson(response, 202, TAKEN))
  expect(await client.track(EVENT, { correlationId: 'mine-7' })).toEqual(TAKEN)
  expect(JSON.parse(server.bodies[0] as string)).toEqual({
    ...EVENT,
    idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
    sdkSecretKey: SECRETS.sdkSecretKey,
  })
  const { headers, method, url } = server.heads[0] as NonNullable<(typeof server.heads)[0]>
  expect({ method, url }).toEqual({ method: 'POST', url: '/v1/events/track' })
  expect(headers).toMatchObject({
    authorization: `Bearer ${SECRETS.sdkSecretKey}`,
    'content-type': 'application/json',
    'x-correlation-id': 'mine-7',
  })
})

test('the pauses are one and two seconds, and there is no fourth attempt', async () => {
  const seen: number[] = []
  const fails = async () => {
    seen.push(Date.now())
    return Response.json({ code: 'other/unknown' }, { status: 500 })
  }
  vi.useFakeTimers({ now: 0 })
  const failed = failureOf(givenClient({ fetch: fails }).track(EVENT))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await failed).toMatchObject({ status: 500 })
  expect(seen).toEqual([0, 1000, 3000])
})

test.each([
  [403, 'auth/invalid-authorization'],
  [400, 'event/invalid-name'],
  [409, 'request/conflict'],
  [503, 'service/unavailable'],
])('%i %s is tried three times, with the same bytes', async (status, code) => {
  const { server, client } = await given((response) => answerJson(response, status, { code, message: 'No.' }))
  const error = await failureOf(client.track(EVENT))
  expect(error).toBeInstanceOf(NotificationRequestError)
  expect(error).toMatchObject({ status, code, message: `${status} ${code}: No.`, correlationId: 'req-1' })
  expect(error).toMatchObject({ answer: { code, message: 'No.' } })
  expect(server.bodies).toHaveLength(3)
  expect(new Set(server.bodies).size).toBe(1)
})

test('of attempts that fail each in its way the error is the last one’s', async () => {
  const { client } = await given((response, call) =>
    answerJson(response, [503, 500, 403][call] ?? 202, { code: `c/${call}` }),
  )
  expect(await failureOf(client.track(EVENT))).toMatchObject({ status: 403, code: 'c/2' })
})

test('the second attempt may succeed', async () => {
  const { server, client } = await given((response, call) =>
    call === 0 ? answerJson(response, 503, {}) : answerJson(response, 202, TAKEN),
  )
  expect(await client.track(EVENT)).toEqual(TAKEN)
  expect(server.bodies).toHaveLength(2)
})

test('each call has a key of its own; an event’s own key is kept', async () => {
  const { server, client } = await given((response) => answerJson(response, 202, TAKEN))
  for (const event of [EVENT, EVENT, { ...EVENT, idempotencyKey: 'order-A-1' }]) await client.track(event)
  const keys = server.bodies.map((body) => JSON.parse(body).idempotencyKey)
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe('order-A-1')
})

test('a batch has one key per call, and by it one per event', async () => {
  const { server, client } = await given((response, call) =>
    call === 0 ? answerJson(response, 500, {}) : answerJson(response, 202, { results: [] }),
  )
  expect(await client.trackBatch([EVENT, EVENT, { ...EVENT, idempotencyKey: 'mine' }])).toEqual({
    results: [],
    correlationId: 'req-1',
  })
  expect(server.bodies[0]).toBe(server.bodies[1])
  const keys = (JSON.parse(server.bodies[0] as string).events as { idempotencyKey: string }[]).map(
    (event) => event.idempotencyKey,
  )
  expect(keys).toEqual([expect.stringMatching(/:0$/), expect.stringMatching(/:1$/), 'mine'])
  expect(keys[0]?.slice(0, 36)).toBe(keys[1]?.slice(0, 36))
})

test('without a server the error is fetch’s own', async () => {
  const { server, client } = await given(() => {})
  await server.stop()
  const error = await failureOf(client.track(EVENT))
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
})

describe('the time of an attempt', () => {
  const TIMEOUT_MS = 5000
  // Only the test advances this clock, so that a stalled machine uses up no time.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  /** Advances the pause between two attempts in small steps until the server has so many requests. */
  const attempts = (server: GivenServer, count: number) =>
    expect
      .poll(() => {
        vi.advanceTimersByTime(1)
        return server.bodies.length
      })
      .toBe(count)

  test('ends one without an answer, which is repeated', async () => {
    const { server, client } = await given((response, call) => {
      if (call > 0) answerJson(response, 202, TAKEN)
    })
    const tracked = client.track(EVENT, { timeoutMs: TIMEOUT_MS })
    await attempts(server, 1)
    vi.advanceTimersByTime(TIMEOUT_MS + 1)
    await attempts(server, 2)
    expect(await tracked).toEqual(TAKEN)
  })

  test('holds for a body that never ends, too', async () => {
    let heads = 0
    const counting: typeof fetch = async (...args) => {
      const response = await fetch(...args)
      heads += 1
      return response
    }
    const { server, client } = await given((response) => response.writeHead(202).write('{'), { fetch: counting })
    const failed = failureOf(client.track(EVENT, { timeoutMs: TIMEOUT_MS }))
    for (const attempt of [1, 2, 3]) {
      await attempts(server, attempt)
      await expect.poll(() => heads).toBe(attempt)
      vi.advanceTimersByTime(TIMEOUT_MS + 1)
    }
    expect(await failed).toMatchObject({ name: 'TimeoutError' })
    expect(server.bodies).toHaveLength(3)
  })
})

test('an answer that came while the process stood still is taken', async () => {
  const timeoutMs = 1000
  const cell = new Int32Array(new SharedArrayBuffer(8))
  const server = new Worker(ANSWERING, { eval: true, workerData: { cell, taken: JSON.stringify(TAKEN) } })
  const [port] = await once(server, 'message')
  const tracked = givenClient({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs, retryDelaysMs: [] }).track(EVENT)
  await once(server, 'message')
  Atomics.wait(cell, 0, 0, 20_000)
  Atomics.wait(cell, 1, 0, timeoutMs + 100)
  expect(await tracked).toEqual(TAKEN)
  await server.terminate()
})

test('the signal ends an attempt, a pause, and a call that has not begun', async () => {
  const reason = new Error('shutting down')
  const during = new AbortController()
  const { server, client } = await given(() => during.abort(reason))
  expect(await failureOf(client.track(EVENT, { signal: during.signal }))).toBe(reason)
  expect(server.bodies).toHaveLength(1)
  expect(await failureOf(client.track(EVENT, { signal: during.signal }))).toBe(reason)
  expect(server.bodies).toHaveLength(1)

  const between = new AbortController()
  const fails = async () => {
    setTimeout(() => between.abort(reason), 5)
    return new Response('', { status: 500 })
  }
  const patient = givenClient({ fetch: fails, retryDelaysMs: [60_000] })
  expect(await failureOf(patient.track(EVENT, { signal: between.signal }))).toBe(reason)
})

test('a redirect is not followed: the key stays with the service', async () => {
  const other = await givenServer((response) => answerJson(response, 202, TAKEN))
  const { client } = await given((response) => response.writeHead(307, { location: other.url }).end())
  expect(await failureOf(client.track(EVENT))).toMatchObject({ status: 307 })
  expect(other.bodies).toEqual([])
  await other.stop()
})

test.each(['', '<html>', '[]', 'null', '"taken"'])('202 with %j is no answer of the service', async (text) => {
  const { client } = await given((response) => response.writeHead(202).end(text))
  expect(await failureOf(client.track(EVENT))).toMatchObject({ name: 'NotificationRequestError', status: 202 })
})

test('no secret is in an error or an inspection, also when the answer echoes the request', async () => {
  const { server, client } = await given((response, call) => {
    const echo = { code: 'x/y', message: `You sent ${server.bodies[call]}`, reason: SECRETS.sdkSecretKey }
    answerJson(response, 400, { ...echo, details: [{ path: server.heads[call]?.headers.authorization }] })
  })
  const error = await failureOf(client.track(EVENT))
  const looks = [client, error].flatMap((one) => [
    inspect(one, { showHidden: true, depth: 20 }),
    JSON.stringify(one),
    String(one),
    inspect(Object.getOwnPropertyDescriptors(one), { depth: 20 }),
  ])
  for (const look of looks) {
    for (const secret of Object.values(SECRETS)) expect(look).not.toContain(secret)
  }
  expect(String(error)).toContain('[sdkSecretKey]')
})

test('what cannot be sent is said at once, and nothing is sent', async () => {
  const { server, client } = await given((response) => answerJson(response, 202, TAKEN))
  const circle: Record<string, unknown> = {}
  circle.self = circle
  await expect(client.track({ ...EVENT, properties: circle })).rejects.toThrow(TypeError)
  await expect(client.track(null as never)).rejects.toThrow('event must be an object')
  await expect(client.trackBatch({} as never)).rejects.toThrow('a list')
  await expect(client.trackBatch([EVENT, 7 as never])).rejects.toThrow('events[1]')
  await expect(client.track(EVENT, { timeoutMs: -1 })).rejects.toThrow('timeoutMs')
  await expect(client.track(EVENT, { correlationId: 'a b' })).rejects.toThrow('correlationId')
  expect(server.bodies).toEqual([])
})
