// Tests hostile endpoints on real HTTPS servers: slow, endless, redirecting, resetting, faulty. Each gives a typed result in time.

import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  answer,
  type Endpoint,
  HOST,
  PUBLIC_ADDRESS,
  type PublicEndpoint,
  startPublicEndpoint,
} from '../test/support/endpoint.ts'
import { type GivenEnrichers, givenEnrichers, newSecret } from '../test/support/given-enrichers.ts'

let endpoint: PublicEndpoint
let given: GivenEnrichers
const usual: { handle?: Endpoint['handle'] } = {}
beforeAll(async () => {
  endpoint = await startPublicEndpoint()
  usual.handle = endpoint.handle
})
afterAll(() => endpoint.close())
beforeEach(() => {
  endpoint.requests.length = 0
  endpoint.addressesOf = () => [PUBLIC_ADDRESS]
  if (usual.handle !== undefined) endpoint.handle = usual.handle
  given = givenEnrichers(endpoint.outbound)
  given.put('order', endpoint.url)
})
afterEach(() => given.close())

const good = (data: unknown = 'good') => ({ ok: true, data, name: 'order', durationMs: 1 })
/** Answers with these handlers one after another; the last one repeats. */
function inTurn(...turns: Endpoint['handle'][]): void {
  let turn = 0
  endpoint.handle = (...all) => turns[Math.min(turn++, turns.length - 1)]?.(...all)
}

describe('the request', () => {
  test('the payload is signed byte for byte, for every valid secret, and the envelope repeats it', async () => {
    const [current, old] = [newSecret(), newSecret()]
    given.secrets = [current, old]
    expect(await given.ask('order')).toMatchObject({ ok: true, data: { echo: { orderId: 'ü-1' } }, attempts: 1 })
    const [received] = endpoint.requests
    if (received === undefined) throw new Error('no request was received')
    const { path, headers, body } = received
    expect(path).toBe('/enrich?name=order')
    expect(headers['content-type']).toBe('application/json')
    const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name]])
    expect(body).toEqual({
      name: 'order',
      payload: body.payload,
      params: { orderId: 'ü-1' },
      headers: Object.fromEntries(signed),
    })
    expect(JSON.parse(body.payload)).toEqual({
      id: headers['webhook-id'],
      name: 'order',
      params: { orderId: 'ü-1' },
      user: { id: 'u_1' },
      event: { name: 'order.shipped', properties: { total: 1.5 } },
    })
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2)
    // Verified by an independent library, with either secret and with no other.
    for (const secret of [current, old]) new Webhook(secret).verify(body.payload, body.headers)
    expect(() => new Webhook(newSecret()).verify(body.payload, body.headers)).toThrow()
    expect(() => new Webhook(current).verify(`${body.payload} `, body.headers)).toThrow()
  })

  test('a query of the address stays', async () => {
    given.put('order', `${endpoint.url}?tenant=a%20b`)
    await given.ask('order')
    expect(endpoint.requests[0]?.path).toBe('/enrich?tenant=a%20b&name=order')
  })

  test('without a secret nothing is sent', async () => {
    given.secrets = []
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'no-signing-secret', attempts: 0 })
    expect(endpoint.requests).toEqual([])
  })

  test('a payload that is too large is not sent', async () => {
    const params = { text: 'x'.repeat(600_000) }
    expect(await given.ask('order', { params })).toMatchObject({ ok: false, code: 'params-too-large', attempts: 0 })
    expect(endpoint.requests).toEqual([])
  })
})

describe('attempts', () => {
  test.each([500, 502, 503, 429])(
    '%i, then good: the same id and payload, a time and signature of each attempt',
    async (status) => {
      inTurn(
        (_, response) => answer(response, status, 'busy', { 'content-type': 'text/plain' }),
        (_, response) => {
          given.clock.at += 5000
          answer(response, status, { ok: false })
        },
        (_, response) => answer(response, 200, good()),
      )
      expect(await given.ask('order')).toMatchObject({ ok: true, data: 'good', attempts: 3 })
      expect(given.pauses).toEqual([1000, 2000])
      const { requests } = endpoint
      expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(requests.map(({ body }) => body.payload)).size).toBe(1)
      const times = requests.map(({ headers }) => Number(headers['webhook-timestamp']))
      expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(5)
      const verifier = new Webhook(given.secrets[0] ?? '')
      const first = requests[0]
      if (first === undefined) throw new Error('no request was received')
      verifier.verify(first.body.payload, first.body.headers)
    },
  )

  test('each attempt reads the secrets: one that was rotated meanwhile signs the next', async () => {
    const rotated = newSecret()
    inTurn(
      (_, response) => {
        given.secrets = [rotated]
        answer(response, 500, {})
      },
      (_, response) => answer(response, 200, good()),
    )
    expect(await given.ask('order')).toMatchObject({ ok: true, attempts: 2 })
    const second = endpoint.requests[1]
    if (second === undefined) throw new Error('no second attempt')
    expect(() => new Webhook(rotated).verify(second.body.payload, second.body.headers)).not.toThrow()
  })

  test('no attempt follows three failed ones', async () => {
    endpoint.handle = (_, response) => answer(response, 503, '<h1>down</h1>', { 'content-type': 'text/html' })
    const result = await given.ask('order')
    expect(result).toMatchObject({ ok: false, code: 'bad-status', attempts: 3 })
    expect(endpoint.requests).toHaveLength(3)
  })

  test('Retry-After is respected up to a limit, in seconds and as a date; beyond it no attempt follows', async () => {
    const inFuture = () => new Date(given.clock.now() + 4500).toUTCString()
    inTurn(
      (_, response) => answer(response, 429, {}, { 'retry-after': '3' }),
      (_, response) => answer(response, 503, {}, { 'retry-after': inFuture() }),
      (_, response) => answer(response, 200, good()),
    )
    expect(await given.ask('order')).toMatchObject({ ok: true, attempts: 3 })
    expect(given.pauses[0]).toBe(3000)
    expect(given.pauses[1]).toBeGreaterThan(2000)
    expect(given.pauses[1]).toBeLessThanOrEqual(5000)
    endpoint.handle = (_, response) => answer(response, 429, {}, { 'retry-after': '3600' })
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'rate-limited', attempts: 1 })
  })

  test.each([400, 401, 403, 404, 410, 418])('%i without a documented body is not tried again', async (status) => {
    endpoint.handle = (_, response) => answer(response, status, 'no', { 'content-type': 'text/plain' })
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'bad-status', attempts: 1 })
  })

  test('no attempt begins that would end after the limit of a call', async () => {
    endpoint.handle = (_, response) => {
      given.clock.at += 30_000
      answer(response, 500, {})
    }
    expect(await given.ask('order')).toMatchObject({ ok: false, attempts: 2 })
  })
})

describe('documented errors of the SDK', () => {
  test.each([
    [400, 'input-invalid', {}, 'input-invalid', 1],
    [400, 'input-validation-failed', { details: [{ path: 'orderId' }] }, 'input-invalid', 1],
    [401, 'hmac-invalid', { reason: 'bad-signature' }, 'hmac-invalid', 1],
    [404, 'enricher-not-found', {}, 'enricher-not-found', 1],
    [500, 'handler-error', {}, 'handler-error', 3],
    [500, 'internal', {}, 'internal', 3],
    [500, 'something-new', {}, 'internal', 3],
    // A backend that answers all of them with 200.
    [200, 'handler-error', {}, 'handler-error', 3],
    [200, 'enricher-not-found', {}, 'enricher-not-found', 1],
  ])('%i %s %j', async (status, code, more, expected, attempts) => {
    endpoint.handle = (_, response) =>
      answer(response, status, { ok: false, error: { code, message: 'So it is.', ...more } })
    const result = await given.ask('order')
    expect(result).toMatchObject({ ok: false, code: expected, message: 'So it is.', attempts })
    expect('reason' in result ? result.reason : undefined).toBe('reason' in more ? more.reason : undefined)
  })

  test('its message is one line without credentials', async () => {
    const message = `no\n\u0000database postgres://app:hunter2@db/x, Bearer abcdef, whsec_c2VjcmV0 ${'long '.repeat(200)}`
    endpoint.handle = (_, response) => answer(response, 400, { ok: false, error: { code: 'input-invalid', message } })
    const result = await given.ask('order')
    if (result.ok) throw new Error('it is a failure')
    expect(result.message).toMatch(/^no database postgres:\/\/\[scrubbed\]@db\/x, Bearer \[scrubbed\]/)
    expect(result.message).not.toMatch(/hunter2|abcdef|c2VjcmV0|\n/)
    expect(result.message.length).toBeLessThanOrEqual(300)
  })

  test('a handler that returns nothing answers null', async () => {
    endpoint.handle = (_, response) => answer(response, 200, { ok: true, name: 'order' })
    expect(await given.ask('order')).toMatchObject({ ok: true, data: null })
  })
})

describe('hostile answers', () => {
  const deep = (levels: number) => `{"ok":true,"data":${'['.repeat(levels)}${']'.repeat(levels)}}`
  test.each<[string, string, Record<string, string>?]>([
    ['no JSON', 'hello'],
    ['truncated JSON', '{"ok":true,"data":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no field ok', '{"data":1}'],
    ['ok as a text', '{"ok":"true","data":1}'],
    ['a refusal without a code', '{"ok":false,"error":{}}'],
    ['deeper than 32 levels', deep(40)],
    ['a megabyte of nesting', deep(500_000)],
    ['a string with NUL', '{"ok":true,"data":"\\u0000"}'],
    ['a lone surrogate', '{"ok":true,"data":{"a":"\\ud800"}}'],
    ['a string of 65 KiB', JSON.stringify({ ok: true, data: 'x'.repeat(65 * 1024) })],
    ['another content type', JSON.stringify({ ok: true, data: 1 }), { 'content-type': 'text/html' }],
    ['compressed without a request for it', 'H4sIAAAAAAAAA6tWyk4F', { 'content-encoding': 'gzip' }],
  ])('%s is a bad answer, and not asked for again', async (_name, body, headers) => {
    endpoint.handle = (_request, response) => answer(response, 200, body, headers)
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'bad-answer', attempts: 1 })
  })

  test('an answer that is not UTF-8 is reported as such, and one with an error status as that error', async () => {
    const send = (response: ServerResponse, status: number) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=iso-8859-1' })
        .end(Buffer.from('{"ok":true,"data":"Zoë"}', 'latin1'))
    endpoint.handle = (_, response) => send(response, 200)
    const message = 'The answer is not valid UTF-8.'
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'bad-answer', message, attempts: 1 })
    endpoint.handle = (_, response) => send(response, 500)
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'bad-status', attempts: 3 })
  })

  test('`__proto__` is dropped from good data; a byte order mark and large integers are taken', async () => {
    const data = '{"__proto__":{"a":1},"constructor":2,"c":12345678901234567890}'
    endpoint.handle = (_, response) => answer(response, 200, `\ufeff{"ok":true,"data":${data}}`)
    const result = await given.ask('order')
    expect(result).toMatchObject({ ok: true, data: { constructor: 2, c: '12345678901234567890' } })
    expect(result.ok && Object.keys(result.data as object)).toEqual(['constructor', 'c'])
  })

  test('an answer of 100 MB is cut after the first of them', async () => {
    let sent = 0
    const chunk = Buffer.alloc(256 * 1024, 'x')
    endpoint.handle = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (sent < 100 * 1024 * 1024 && !response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) return response.once('drain', more)
        }
        return response.end()
      }
      more()
    }
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'too-large', attempts: 1 })
    expect(sent).toBeLessThan(50 * 1024 * 1024)
  })

  test('a redirect is refused and not followed', async () => {
    endpoint.handle = (_, response) => response.writeHead(307, { location: 'https://169.254.169.254/latest' }).end()
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'redirect', attempts: 1 })
    expect(endpoint.requests).toHaveLength(1)
  })

  test('an endpoint that hangs times out, three times', async () => {
    endpoint.handle = () => {}
    given.put('order', endpoint.url, { timeoutMs: 200 })
    const result = await given.ask('order')
    expect(result).toMatchObject({ ok: false, code: 'timeout', attempts: 3 })
    expect(result.durationMs).toBeGreaterThanOrEqual(600)
  })

  test('an endpoint that sends slowly times out, also while bytes arrive', async () => {
    given.put('order', endpoint.url, { timeoutMs: 200 })
    const timers: NodeJS.Timeout[] = []
    endpoint.handle = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      timers.push(setInterval(() => response.write(' '), 10))
    }
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'timeout', attempts: 3 })
    for (const timer of timers) clearInterval(timer)
  })

  test('an endpoint that resets is unreachable, and called again', async () => {
    inTurn(
      (request) => endpoint.reset(request),
      (request) => request.socket.destroy(),
      (_, response) => answer(response, 200, good()),
    )
    expect(await given.ask('order')).toMatchObject({ ok: true, attempts: 3 })
    endpoint.handle = (request) => endpoint.reset(request)
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'unreachable', attempts: 3 })
  })

  test('an endpoint that closes midway is unreachable, with a length and in chunks', async () => {
    const cutAfter =
      (headers: Record<string, string>): Endpoint['handle'] =>
      (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers })
        response.write('{"ok":true,', () => request.socket.destroy())
      }
    endpoint.handle = cutAfter({ 'content-length': '1000' })
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'unreachable', attempts: 3 })
    endpoint.handle = cutAfter({})
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'unreachable', attempts: 3 })
  })

  test('headers without end, and no HTTP at all, are unreachable', async () => {
    endpoint.handle = (request) => request.socket.end(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}\r\n`)
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'unreachable' })
    endpoint.handle = (request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n')
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'unreachable' })
  })
})

describe('addresses', () => {
  const REFUSED = [
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1'],
    ...['169.254.169.254', '172.16.0.1', '192.0.0.1', '192.0.2.1', '192.168.0.1', '198.18.0.1', '198.51.100.7'],
    ...['203.0.113.7', '224.0.0.1', '240.0.0.1', '255.255.255.255', '[::]', '[::1]', '[::ffff:127.0.0.1]'],
    ...['[::ffff:169.254.169.254]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[100::1]', '[2001:db8::1]'],
    ...['[2002:7f00:1::]', '[fc00::1]', '[fe80::1]', '[ff02::1]'],
  ]
  test('there are 31 of them', () => expect(REFUSED).toHaveLength(31))

  test.each(REFUSED)('%s is refused as a literal and behind a name, and no connection is opened', async (host) => {
    const dialled = endpoint.dialled()
    const port = new URL(endpoint.url).port
    given.put('order', `https://${host}:${port}/enrich`)
    const blocked = { ok: false, code: 'blocked-address', attempts: 1 }
    expect(await given.ask('order')).toMatchObject(blocked)
    // The form in which a resolver returns it.
    const address = new URL(`https://${host}`).hostname.replace(/^\[|\]$/g, '')
    endpoint.addressesOf = () => [address]
    given.put('order', endpoint.url)
    const result = await given.ask('order')
    expect(result).toMatchObject(blocked)
    expect(JSON.stringify(result)).not.toContain(address)
    expect(endpoint.dialled()).toBe(dialled)
    expect(endpoint.requests).toEqual([])
  })

  test('http is refused to a public address', async () => {
    given.put('order', endpoint.url.replace('https:', 'http:'))
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'blocked-address' })
  })

  test('a name is checked at each connection, also between the attempts of one call', async () => {
    const bound = [PUBLIC_ADDRESS, '169.254.169.254', PUBLIC_ADDRESS]
    endpoint.addressesOf = () => [bound.shift() ?? '127.0.0.1']
    endpoint.handle = (_, response) => answer(response, 500, {}, { connection: 'close' })
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'blocked-address', attempts: 2 })
    expect(endpoint.requests).toHaveLength(1)
  })

  test('of several addresses only the public ones are connected to', async () => {
    endpoint.addressesOf = () => ['10.0.0.1', PUBLIC_ADDRESS, '::1']
    expect(await given.ask('order')).toMatchObject({ ok: true })
  })

  test('a certificate of another name is refused', async () => {
    given.put('order', endpoint.url.replace(HOST, 'another.example'))
    expect(await given.ask('order')).toMatchObject({ ok: false, code: 'bad-certificate', attempts: 1 })
    expect(endpoint.requests).toEqual([])
  })

  test('a certificate without a trusted authority is refused', async () => {
    // The system's own list of authorities in place of the test's.
    const { allow, resolve } = { allow: ['127.0.0.0/8'], resolve: endpoint.outbound.resolve }
    endpoint.addressesOf = () => ['127.0.0.1']
    const plain = givenEnrichers({ allow, resolve })
    plain.put('order', endpoint.url)
    expect(await plain.ask('order')).toMatchObject({ ok: false, code: 'bad-certificate', attempts: 1 })
    await plain.close()
  })
})
