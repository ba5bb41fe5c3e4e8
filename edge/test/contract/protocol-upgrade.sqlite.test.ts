// Tests requests that offer a protocol upgrade (RFC 9110 section 7.8): only WebSocket is accepted.
// The JDK's HTTP client offers h2c with each request, curl with --http2.
// SQLite alone: what is tested lies before the store.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { headOf, openRaw, type RawConnection } from '../support/raw-http.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

const H2C = {
  Connection: 'Upgrade, HTTP2-Settings',
  Upgrade: 'h2c',
  'HTTP2-Settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
}
const WEBSOCKET = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

const expectAnswers = (connection: RawConnection, count: number) =>
  vi.waitFor(() => expect(connection.statuses()).toHaveLength(count), { timeout: 60_000 })

function event(properties: object): [head: string, body: string] {
  const body = JSON.stringify({ sdkSecretKey: key, name: 'of.fered', userId: 'u_offer', properties })
  const head = headOf('POST', '/v1/events/track', {
    ...H2C,
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  })
  return [`${head}\r\n`, body]
}

test('events with an offer of h2c are accepted, one after another on their connection', async () => {
  const connection = openRaw(given.url)
  const long = { a: 'x'.repeat(60_000), b: 'x'.repeat(60_000), c: 'x'.repeat(60_000) }
  for (const [count, properties] of [{ n: 1 }, long, { n: 3 }].entries()) {
    const [head, body] = event(properties)
    connection.socket.write(head)
    connection.socket.write(body)
    await expectAnswers(connection, count + 1)
  }
  connection.socket.destroy()
  expect(connection.statuses()).toEqual([202, 202, 202])
  const events = await given.call<{ data: { properties: object }[] }>('GET', '/v1/events?name=of.fered', { key })
  expect(events.body.data.map(({ properties }) => properties)).toEqual([{ n: 3 }, long, { n: 1 }])
})

test('reads and refusals have the same answer with an offer as without', async () => {
  const connection = openRaw(given.url)
  const requests: [string, string, number][] = [
    ['GET', '/healthz', 200],
    ['GET', '/v1/events', 401],
    ['DELETE', '/v1/events/track', 405],
    ['GET', '/no/such', 404],
  ]
  for (const [at, [method, path]] of requests.entries()) {
    connection.socket.write(`${headOf(method, path, H2C)}\r\n`)
    await expectAnswers(connection, at + 1)
  }
  connection.socket.destroy()
  expect(connection.statuses()).toEqual(requests.map(([, , status]) => status))
})

test('a WebSocket is accepted at the realtime path, and another path is not found', async () => {
  const elsewhere = openRaw(given.url, `${headOf('GET', '/no/such', WEBSOCKET)}\r\n`)
  const realtime = openRaw(given.url, `${headOf('GET', '/v1/realtime/?EIO=4&transport=websocket', WEBSOCKET)}\r\n`)
  await Promise.all([expectAnswers(elsewhere, 1), expectAnswers(realtime, 1)])
  for (const { socket } of [elsewhere, realtime]) socket.destroy()
  expect([elsewhere.statuses(), realtime.statuses()]).toEqual([[404], [101]])
  expect(elsewhere.text()).toContain('"request/not-found"')
})

test('the answer 101 of a WebSocket has the correlation id of the request, or a new one for an invalid id', async () => {
  const openWebSocket = (id: string) =>
    openRaw(
      given.url,
      `${headOf('GET', '/v1/realtime/?EIO=4&transport=websocket', { ...WEBSOCKET, 'X-Correlation-Id': id })}\r\n`,
    )
  const [kept, replaced] = [openWebSocket('page-1.a_B'), openWebSocket('no good')]
  await Promise.all([expectAnswers(kept, 1), expectAnswers(replaced, 1)])
  for (const { socket } of [kept, replaced]) socket.destroy()
  expect(kept.text()).toMatch(/^HTTP\/1\.1 101 [\s\S]*\r\nX-Correlation-Id: page-1\.a_B\r\n/)
  expect(replaced.text()).toMatch(/\r\nX-Correlation-Id: [0-9a-f-]{36}\r\n/)
})

test('a WebSocket handshake with two Host headers is answered with 400', async () => {
  const head = headOf('GET', '/v1/realtime/?EIO=4&transport=websocket', { ...WEBSOCKET, hOST: 'other' })
  const connection = openRaw(given.url, `${head}\r\n`)
  await expectAnswers(connection, 1)
  connection.socket.destroy()
  expect(connection.statuses()).toEqual([400])
  expect(connection.text()).toContain('The request has more than one Host header.')
})

test.each([
  '/v1/realtime',
  '/v1/realtime/?EIO=3&transport=websocket',
  '/v1/realtime/?EIO=4&transport=polling',
  '/v1/realtime/?EIO=4&transport=websocket&sid=none',
  '/v1/realtimes/?EIO=4&transport=websocket',
])('a WebSocket handshake that the server does not take is answered as a request: %s', async (target) => {
  const connection = openRaw(given.url, `${headOf('GET', target, { ...WEBSOCKET, 'X-Correlation-Id': 'mine' })}\r\n`)
  await expectAnswers(connection, 1)
  connection.socket.destroy()
  expect(connection.statuses()).toEqual([404])
  expect(connection.text()).toMatch(/\r\nx-correlation-id: mine\r\n/i)
})
