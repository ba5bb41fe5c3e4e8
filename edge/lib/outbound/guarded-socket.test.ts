// Tests that TCP connections reach no internal address, by literal or by name, and that their errors are those of the guard.

import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAddressRule } from './address-rule.ts'
import { openGuardedSocket } from './guarded-socket.ts'
import { createResolve, type Resolve } from './resolve.ts'

let server: Server
let port: number
let connections: number
beforeEach(async () => {
  connections = 0
  server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.end('hello')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const resolvesTo =
  (...addresses: string[]): Resolve =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

function open(host: string, { allow = [], at = port, resolve }: { allow?: string[]; at?: number; resolve?: Resolve }) {
  const guard = {
    rule: createAddressRule(allow),
    resolve: resolve ?? createResolve({ asksSystem: false }),
    timeoutMs: 2000,
  }
  return openGuardedSocket(guard, host, at)
}

const forbidden = { reason: 'forbidden-address' }

test.each(['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1'])('%s is refused', async (host) => {
  await expect(open(host, {})).rejects.toMatchObject(forbidden)
  expect(connections).toBe(0)
})

test('a name that resolves to internal addresses is refused', async () => {
  const resolve = resolvesTo('127.0.0.1', '10.0.0.1')
  await expect(open('smtp.example.com', { resolve })).rejects.toMatchObject(forbidden)
  expect(connections).toBe(0)
})

test('an allowed address is reached, by literal and by name, and no other address of the name', async () => {
  for (const host of ['127.0.0.1', 'smtp.example.com']) {
    const socket = await open(host, { allow: ['127.0.0.0/8'], resolve: resolvesTo('10.0.0.1', '127.0.0.1') })
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  }
})

test('a closed port is unreachable', async () => {
  await expect(open('127.0.0.1', { allow: ['127.0.0.0/8'], at: 1 })).rejects.toMatchObject({ reason: 'unreachable' })
})
