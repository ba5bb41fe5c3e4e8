// Tests abuse of HTTP byte by byte: it costs little memory, blocks nothing and affects no other client.
// SQLite alone: what is tested lies before the store.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../../contract/limits.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { headOf, openRaw, type RawConnection } from '../support/raw-http.ts'
import { usedBytes } from '../support/used-memory.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

const JSON_TYPE = { 'Content-Type': 'application/json' }
const TRACK = '/v1/events/track'

function trackRequest(length?: number, path = TRACK): { head: string; body: string } {
  const { sdkSecretKey } = given.demo.environments.dev
  const body = JSON.stringify({ sdkSecretKey, name: 'wire.tested', userId: 'u' })
  const headers = { ...JSON_TYPE, Authorization: `Bearer ${sdkSecretKey}` }
  const lengthHeader: Record<string, string> =
    length === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(length) }
  return { head: `${headOf('POST', path, { ...headers, ...lengthHeader })}\r\n`, body }
}

/** Writes while the other side accepts data. @returns the bytes written */
async function writeAll(connection: RawConnection, piece: string): Promise<number> {
  const { socket } = connection
  while (!socket.destroyed && socket.writable) {
    if (socket.write(piece)) await new Promise(setImmediate)
    else await Promise.race([connection.closed, new Promise((resolve) => socket.once('drain', resolve))])
  }
  await connection.closed
  return socket.bytesWritten
}

const MIB = 1024 * 1024
const MAX_SENT = 64 * MIB

test.each([
  ['in chunks without an end', undefined],
  ['of a declared length beyond the limit', 10 * 1024 ** 3],
])('a body %s is answered with 413 and not read to its end', async (_, length) => {
  const { head } = trackRequest(length)
  const connection = openRaw(given.url, head)
  const data = 'x'.repeat(64 * 1024)
  const sent = await writeAll(connection, length === undefined ? `10000\r\n${data}\r\n` : data)
  expect(connection.statuses()).toEqual([413])
  expect(connection.text()).toMatch(/\r\nconnection: close\r\n/i)
  expect(connection.text()).toContain('request/payload-too-large')
  // The kernel buffers of both sides, and little more.
  expect(sent).toBeLessThan(MAX_SENT)
})

test('a client that reads only after sending gets 413 for a body a little over the limit', async () => {
  const { sdkSecretKey } = given.demo.environments.dev
  const properties = { pad: Array.from({ length: 6 }, () => 'x'.repeat(60_000)) }
  const answer = await given.track({ sdkSecretKey, name: 'a', userId: 'u', properties })
  expect([answer.status, answer.body]).toMatchObject([413, { code: 'request/payload-too-large' }])
})

test('headers over 16 KiB are answered with 431, as one header or as many', async () => {
  for (const headers of [
    { 'X-Big': 'x'.repeat(LIMITS.headerBytes) },
    Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`X-${n}`, 'abcdef'])),
  ]) {
    const connection = openRaw(given.url, `${headOf('GET', '/healthz', headers)}\r\n`)
    await connection.closed
    expect(connection.statuses()).toEqual([431])
    expect(connection.text()).toContain('request/headers-too-large')
  }
})

test('bytes after a too short Content-Length are no request: they are answered with 400, and the connection ends', async () => {
  const { body } = trackRequest()
  const { head } = trackRequest(body.length - 5)
  const connection = openRaw(given.url, head + body)
  await connection.closed
  expect(connection.statuses()).toEqual([400])
})

test('Content-Length together with chunked encoding is refused, so that no second request is read from the body', async () => {
  const { head, body } = trackRequest(5)
  const smuggled = `0\r\n\r\n${trackRequest(body.length).head}${body}`
  const connection = openRaw(given.url, head.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n') + smuggled)
  await connection.closed
  expect(connection.statuses()).toEqual([400])
})

test('a thousand pipelined requests are answered in order, and other callers meanwhile', async () => {
  const { body } = trackRequest()
  const request = trackRequest(body.length).head + body
  const count = 1000
  const connection = openRaw(given.url, request.repeat(count))
  expect((await given.call('GET', '/healthz')).status).toBe(200)
  // Each waits for its own commit; on a slow disk this takes all the time.
  await expect.poll(() => connection.statuses().length).toBe(count)
  expect(new Set(connection.statuses())).toEqual(new Set([202]))
  connection.socket.destroy()
})

test('a client that pipelines requests without reading is paused, so that memory stays limited', async () => {
  const connection = openRaw(given.url)
  connection.socket.pause()
  const request = `${headOf('GET', '/openapi.json')}\r\n`
  const before = usedBytes()
  // 20,000 answers of about 100 KB would be 2 GB.
  connection.socket.write(request.repeat(20_000))
  for (let i = 0; i < 50; i++) expect((await given.call('GET', '/healthz')).status).toBe(200)
  const growth = usedBytes() - before
  process.stdout.write(`client that does not read: ${Math.round(growth / MIB)} MiB are in use\n`)
  expect(growth).toBeLessThan(64 * MIB)
  connection.socket.destroy()
})
