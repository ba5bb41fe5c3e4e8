// A call over fetch: what of an answer is believed.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { failureOf } from '../lib/failure.ts'
import { createApi } from './api.ts'

let server: Server
afterEach(() => void server.close())

test.each([
  ['5', 5_000],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
])('Retry-After: %s waits %s ms', async (given, waitsMs) => {
  server = createServer((_, response) => response.writeHead(429, { 'retry-after': given }).end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const call = createApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const error = await call('GET', '/').catch((error) => error)
  expect(failureOf(error)).toMatchObject({ status: 429, retryAfterMs: waitsMs })
})

test('each read has an address of its own, with a query or without; a change has the plain one', async () => {
  const asked: string[] = []
  server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const call = createApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  for (const path of ['/list?a=b', '/settings', '/settings']) await call('GET', path)
  await call('PUT', '/settings', { body: {} })
  expect(asked.map((url) => url.replace(/fresh=0\.\d+/, 'fresh'))).toEqual([
    '/list?a=b&fresh',
    '/settings?fresh',
    '/settings?fresh',
    '/settings',
  ])
  expect(new Set(asked).size).toBe(asked.length)
})
