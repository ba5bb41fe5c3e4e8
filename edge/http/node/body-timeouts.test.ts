// Checks that slow headers end their connection, unless this process itself did not read them in time.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blockThread } from '../../test/support/block-thread.ts'
import { extendHeadersTimeout } from './body-timeouts.ts'

const HEADERS_MS = 400

let server: Server
let client: Socket
let said: string
beforeEach(async () => {
  const options = { headersTimeout: HEADERS_MS, requestTimeout: 60_000, connectionsCheckingInterval: 20 }
  server = createServer(options, (_request, response) => void response.end('served'))
  extendHeadersTimeout(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  said = ''
  client.on('data', (chunk) => {
    said += chunk
  })
  await Promise.all([accepted, once(client, 'connect')])
})
afterEach(async () => {
  client.destroy()
  const closed = once(server, 'close')
  server.close()
  await closed
})

test('a request that came while the process stood still is served, and again on the same connection', async () => {
  for (const times of [1, 2]) {
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    blockThread(3 * HEADERS_MS)
    await expect.poll(() => said.split('served').length - 1).toBe(times)
  }
})

test('headers that stop coming are cut, behind a standstill too', async () => {
  client.write('GET / HTTP/1.1\r\nHost: a\r\n')
  blockThread(3 * HEADERS_MS)
  await once(client, 'close')
  expect(said).toMatch(/^HTTP\/1.1 408 /)
})
