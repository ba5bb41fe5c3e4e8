// Tests that TCP connections reach no internal address, by literal or by name, and that their errors are those of the guard.

import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGuardedConnect } from './guarded-socket.ts'
import type { Resolve } from './resolve.ts'

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

test.each(['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1'])('%s is refused', async (host) => {
  await expect(createGuardedConnect({ allow: [] })({ host, port, usesTls: true })).rejects.toMatchObject({
    reason: 'forbidden-address',
  })
  expect(connections).toBe(0)
})

test('a name that resolves to an internal address is refused', async () => {
  const connect = createGuardedConnect({ allow: [], resolve: resolvesTo('127.0.0.1', '10.0.0.1') })
  await expect(connect({ host: 'smtp.example.com', port, usesTls: true })).rejects.toMatchObject({
    reason: 'forbidden-address',
  })
  expect(connections).toBe(0)
})

test('an allowed address is reached, by literal and by name, with TLS to follow or not', async () => {
  const connect = createGuardedConnect({ allow: ['127.0.0.0/8'], resolve: resolvesTo('10.0.0.1', '127.0.0.1') })
  for (const host of ['127.0.0.1', 'smtp.example.com']) {
    for (const usesTls of [true, false]) {
      const socket = await connect({ host, port, usesTls })
      expect(socket.remoteAddress).toBe('127.0.0.1')
      socket.destroy()
    }
  }
})

test('a public address without TLS is refused', async () => {
  const connect = createGuardedConnect({ allow: ['127.0.0.0/8'] })
  await expect(connect({ host: '93.184.215.14', port, usesTls: false })).rejects.toMatchObject({
    reason: 'forbidden-address',
  })
})

test('a closed port is unreachable', async () => {
  const connect = createGuardedConnect({ allow: ['127.0.0.0/8'] })
  await expect(connect({ host: '127.0.0.1', port: 1, usesTls: true })).rejects.toMatchObject({ reason: 'unreachable' })
})
