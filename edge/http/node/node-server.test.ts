// Tests the node server over raw sockets with malformed, too large and too slow HTTP.
// Every answer is JSON with a correlation id.

import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { z } from '@hono/zod-openapi'
import { afterEach, expect, test } from 'vitest'
import type { ErrorCode } from '../../../contract/errors.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { createHttp } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { BodyRateClock } from './body-timeouts.ts'
import { createNodeServer } from './node-server.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** An echo route on a free port; `handled` counts bodies that reached it. */
async function givenServer(bodyRateClock?: BodyRateClock, keepAliveMs?: number) {
  const refused: ErrorCode[] = []
  const defects: unknown[] = []
  let handled = 0
  const sinks = {
    onDefect: (error: unknown) => defects.push(error),
    onRefused: (code: ErrorCode) => refused.push(code),
  }
  const http = createHttp({
    ...sinks,
    isDraining: () => false,
    callers: { key: () => Promise.reject(new Error('unused')), widget: () => Promise.reject(new Error('unused')) },
  })
  const echo = { tag: 't', caller: 'none', answer: { status: 200, schema: z.object({}) }, errors: [] } as const
  addRoute(
    http,
    { ...echo, method: 'post', path: '/echo', summary: 'Echo', body: z.object({ a: z.string() }) },
    (call) => {
      handled++
      return call.body
    },
  )
  addRoute(http, { ...echo, method: 'get', path: '/users/:id', summary: 'Name' }, (call) => call.params)
  addRoute(http, { ...echo, method: 'get', path: '/broken', summary: 'Break' }, () => {
    throw new Error('a row with nc_sdk_eu_secret')
  })
  const server = createNodeServer(http.app, sinks, {
    ...(bodyRateClock && { bodyRateClock }),
    ...(keepAliveMs !== undefined && { keepAliveMs }),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { port, refused, defects, handled: () => handled }
}

interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: { code?: string; message?: string; correlationId?: string } & Record<string, unknown>
}

/** Writes the text unchanged and reads until the server closes. */
function exchange(port: number, ...pieces: (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(parseAnswer(text)))
    for (const piece of pieces) socket.write(piece)
  })
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
  }
  return { status: Number(line.split(' ')[1]), headers, body: body === '' ? {} : JSON.parse(body) }
}

function expectError(answer: RawAnswer, status: number, code: ErrorCode): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.headers['x-correlation-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(answer.body.correlationId).toBe(answer.headers['x-correlation-id'])
  expect(answer.body.message).toBeTruthy()
  expect(JSON.stringify(answer.body)).not.toMatch(/stack|at \/|\.ts|nc_sdk_/)
}

test('HTTP/1.0 requires no Host, because health checks of load balancers send none', async () => {
  const { port } = await givenServer()
  const answer = await exchange(port, 'GET /users/u_1 HTTP/1.0\r\n\r\n')
  expect([answer.status, answer.body]).toEqual([200, { id: 'u_1' }])
})

test.each([
  ['without Host', 'GET /echo HTTP/1.1'],
  ['with an invalid Host', 'GET /echo HTTP/1.1\r\nHost: a b/c'],
  ['without a path', 'OPTIONS * HTTP/1.1\r\nHost: localhost'],
])('a request %s keeps the correlation id that it sent', async (_what, head) => {
  const { port } = await givenServer()
  const answer = await exchange(port, `${head}\r\nX-Correlation-Id: my-1\r\nConnection: close\r\n\r\n`)
  expect([answer.status, answer.headers['x-correlation-id'], answer.body.correlationId]).toEqual([400, 'my-1', 'my-1'])
})

test('a HEAD whose head is too large is answered without a body', async () => {
  const { port } = await givenServer()
  const { status, headers, body } = await exchange(
    port,
    `HEAD /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  )
  expect([status, headers.connection, body]).toEqual([431, 'close', {}])
})

const HOST = 'Host: localhost\r\nConnection: close\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'

test.each<[string, number, ErrorCode, string]>([
  ['no HTTP at all', 400, 'request/invalid-query', 'hello there\r\n\r\n'],
  ['a malformed header', 400, 'request/invalid-query', `GET /echo HTTP/1.1\r\n${HOST}bad header\r\n\r\n`],
  ['no Host', 400, 'request/invalid-query', 'GET /echo HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two Hosts', 400, 'request/invalid-query', `GET /echo HTTP/1.1\r\n${HOST}hOST: other\r\n\r\n`],
  [
    'an unsupported transfer coding',
    501,
    'request/unknown-transfer-coding',
    `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
  ['an invalid Host', 400, 'request/invalid-query', 'GET /echo HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n'],
  [
    'too many headers',
    431,
    'request/headers-too-large',
    `GET /echo HTTP/1.1\r\n${HOST}X: ${'x'.repeat(LIMITS.headerBytes)}\r\n\r\n`,
  ],
  [
    'two lengths',
    400,
    'request/invalid-query',
    `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  ],
  ['an unknown path', 404, 'request/not-found', `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`],
  [
    'a trailing slash',
    404,
    'request/not-found',
    `POST /echo/ HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`,
  ],
  ['an invalid escape', 404, 'request/not-found', `GET /users/%E0%A4 HTTP/1.1\r\n${HOST}\r\n`],
  ['a wrong method', 405, 'request/method-not-allowed', `DELETE /echo HTTP/1.1\r\n${HOST}\r\n`],
  [
    'no content type',
    415,
    'request/unsupported-media-type',
    `POST /echo HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`,
  ],
  [
    'a form',
    415,
    'request/unsupported-media-type',
    `POST /echo HTTP/1.1\r\n${HOST}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'a compressed body',
    415,
    'request/unsupported-media-type',
    `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'a declared length beyond the limit',
    413,
    'request/payload-too-large',
    `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${LIMITS.eventBytes + 1}\r\n\r\n{`,
  ],
  [
    'an invalid chunk',
    400,
    'request/invalid-body',
    `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ],
  [
    'malformed JSON',
    400,
    'request/invalid-body',
    `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\n\r\n{]`,
  ],
  ['an empty body', 400, 'request/invalid-body', `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 0\r\n\r\n`],
  ['a list', 400, 'request/invalid-body', `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\n\r\n[]`],
])('%s is answered %i %s', async (_what, status, code, request) => {
  const { port, defects, handled } = await givenServer()
  expectError(await exchange(port, request), status, code)
  expect(defects).toEqual([])
  expect(handled()).toBe(0)
})

test('invalid UTF-8 is refused', async () => {
  const { port } = await givenServer()
  const body = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])
  const head = `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n`
  expectError(await exchange(port, head, body), 400, 'request/invalid-body')
})

test('a chunked body without a declared length is refused at the limit', async () => {
  const { port, handled } = await givenServer()
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const answer = await exchange(
    port,
    `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`,
    chunk.repeat(5),
    '0\r\n\r\n',
  )
  expectError(answer, 413, 'request/payload-too-large')
  expect(handled()).toBe(0)
})

test('405 lists the methods of the path', async () => {
  const { port } = await givenServer()
  const answer = await exchange(port, `PUT /users/1 HTTP/1.1\r\n${HOST}\r\n`)
  expect(answer.headers.allow).toBe('GET, HEAD')
})

test('a defect is answered other/unknown, and only the log has its error', async () => {
  const { port, defects, refused } = await givenServer()
  expectError(await exchange(port, `GET /broken HTTP/1.1\r\n${HOST}\r\n`), 500, 'other/unknown')
  expect(defects).toHaveLength(1)
  expect(refused).toEqual(['other/unknown'])
})

test('a correlation id is kept when it is valid and replaced when it is not', async () => {
  const { port } = await givenServer()
  const sendWithId = (id: string) => exchange(port, `GET /users/1 HTTP/1.1\r\n${HOST}X-Correlation-Id: ${id}\r\n\r\n`)
  expect((await sendWithId('order-1.a_B')).headers['x-correlation-id']).toBe('order-1.a_B')
  for (const bad of ['', 'a b', 'x'.repeat(129), '"><script>']) {
    expect((await sendWithId(bad)).headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('HEAD answers as GET, without the body', async () => {
  const { port } = await givenServer()
  const answer = await exchange(port, `HEAD /users/1 HTTP/1.1\r\n${HOST}\r\n`)
  expect(answer).toMatchObject({ status: 200, body: {} })
  expect(answer.headers['x-correlation-id']).toBeTruthy()
})

test.each([
  ['a%2Fb', 'a/b'],
  ['a%252Fb', 'a%2Fb'],
  ['a%3Fb%23c', 'a?b#c'],
  ['%F0%9F%98%80', '😀'],
  ['a+b', 'a+b'],
])('the path parameter %s is read as %s', async (sent, read) => {
  const { port } = await givenServer()
  expect((await exchange(port, `GET /users/${sent} HTTP/1.1\r\n${HOST}\r\n`)).body).toEqual({ id: read })
})

test('a slow body is answered 408', async () => {
  let at = 0
  const { port, handled, defects } = await givenServer({ now: () => (at += 1000), sweepMs: 5, maxChargedMs: 1000 })
  const answer = await exchange(port, `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 1000\r\n\r\n{"a":`)
  expectError(answer, 408, 'request/timeout')
  expect(handled()).toBe(0)
  expect(defects).toEqual([])
})

test('clients are not refused for time in which the server did not run', async () => {
  let at = 0
  // Each sweep runs a minute late, and nothing was read meanwhile.
  const { port, handled } = await givenServer({ now: () => (at += 60_000), sweepMs: 5, maxChargedMs: 10 })
  const body = '{"a":"x"}'
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.write(`POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n{`)
  await expect.poll(() => at).toBeGreaterThan(20 * 60_000)
  socket.write(body.slice(1))
  await expect.poll(() => text).toContain('200 OK')
  expect(handled()).toBe(1)
})

test('a body is not refused in its first five seconds, nor at the lowest allowed rate', async () => {
  let at = 0
  const { port, handled } = await givenServer({ now: () => at, sweepMs: 2, maxChargedMs: 1000 })
  const body = JSON.stringify({ a: 'x'.repeat(60_000) })
  const answer = await new Promise<RawAnswer>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let sent = 0
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('close', () => resolve(parseAnswer(text))).on('error', reject)
    socket.write(`POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n`)
    // Each step advances the server's clock by half a second: no data for five seconds, then 8 KiB a step.
    const step = setInterval(() => {
      at += 500
      if (at <= 5000) return
      socket.write(body.slice(sent, sent + 8192))
      sent += 8192
      if (sent >= body.length) clearInterval(step)
    }, 10)
  })
  expect(answer.status).toBe(200)
  expect(handled()).toBe(1)
})

test('a client that disconnects before the end of its body is no defect', async () => {
  const { port, defects, handled } = await givenServer()
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 100\r\n\r\n{"a":`, () => socket.destroy())
  await new Promise((resolve) => socket.on('close', resolve))
  // A complete request afterwards shows that the server has handled the aborted one.
  expect((await exchange(port, `GET /users/1 HTTP/1.1\r\n${HOST}\r\n`)).status).toBe(200)
  expect(defects).toEqual([])
  expect(handled()).toBe(0)
})

test('the limit of a head counts from its first byte: a connection that was opened ahead is served later', async () => {
  const { port, refused } = await givenServer()
  const ahead = connect(port, '127.0.0.1')
  let received = ''
  ahead.on('data', (chunk) => {
    received += chunk
  })
  await new Promise((resolve) => ahead.once('connect', resolve))
  // Its answer comes after the limit, which the other connection has passed then, too.
  expectError(await exchange(port, 'GET /users/1 HTTP/1.1\r\nHost: a\r\n'), 408, 'request/timeout')
  expect(received).toBe('')
  ahead.write(`GET /users/1 HTTP/1.1\r\n${HOST}\r\n`)
  await new Promise((resolve) => ahead.once('close', resolve))
  expect(received).toMatch(/^HTTP\/1\.1 200 /)
  expect(refused).toEqual(['request/timeout'])
})

test('a connection that was opened ahead and is never used ends without an answer', async () => {
  const { port, refused } = await givenServer(undefined, 10)
  expect(await received(port)).toBe('')
  expect(refused).toEqual([])
})

/** @returns What a connection that sends nothing gets until it is closed. */
function received(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject).on('close', () => resolve(text))
  })
}
