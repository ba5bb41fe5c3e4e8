// Tests that slow headers close their connection, unless this process did not run in that time.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blockThread } from '../../test/support/block-thread.ts'
import { extendHeadersTimeout } from './body-timeouts.ts'

/** A pause counts as 200 ms (`lib/running-time.ts`); the rest is for a busy machine. */
const HEADERS_MS = 800
const PAUSE_MS = 2 * HEADERS_MS

let server: Server
let client: Socket
let received: string
beforeEach(async () => {
  const options = { headersTimeout: HEADERS_MS, requestTimeout: 60_000, connectionsCheckingInterval: 20 }
  server = createServer(options, (_request, response) => void response.end('served'))
  extendHeadersTimeout(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  received = ''
  client.on('data', (chunk) => {
    received += chunk
  })
  await Promise.all([accepted, once(client, 'connect')])
})
afterEach(async () => {
  client.destroy()
  const closed = once(server, 'close')
  server.close()
  await closed
})

test('a request that arrives while the process does not run is served, twice on one connection', async () => {
  for (const times of [1, 2]) {
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    blockThread(PAUSE_MS)
    await expect.poll(() => received.split('served').length - 1).toBe(times)
  }
})

test('incomplete headers are answered 408, also after a time in which the process did not run', async () => {
  client.write('GET / HTTP/1.1\r\nHost: a\r\n')
  blockThread(PAUSE_MS)
  await once(client, 'close')
  expect(received).toMatch(/^HTTP\/1.1 408 /)
})
