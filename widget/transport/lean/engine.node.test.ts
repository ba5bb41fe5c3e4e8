// Our engine under the published client, against the real Socket.IO server.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { Socket } from './engine.ts'

const page = new EventTarget()
let server: Server
let uri: string

beforeEach(async () => {
  vi.stubGlobal('WebSocket', WebSocket)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const http = createServer()
  server = new Server(http, { path: '/v1/realtime', transports: ['websocket'], pingInterval: 60, pingTimeout: 80 })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  uri = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterEach(async () => {
  await server.close()
  vi.unstubAllGlobals()
})

const told = (engine: Socket, name: string): Promise<unknown[]> =>
  new Promise((resolve) => {
    engine.on(name, (...args: unknown[]) => resolve(args))
  })
const open = (): Socket => new Socket(uri, { path: '/v1/realtime/' })

test('opens, says and hears messages, and answers pings', async () => {
  server.on('connection', (socket) => socket.on('sync', (question, answer) => answer(question.since + 1)))
  const engine = open()
  await told(engine, 'open')
  const connected = told(engine, 'data')
  engine.write('0{}')
  expect(String((await connected)[0])).toMatch(/^0\{"sid"/)
  // Two pings that were not answered would have ended it.
  await told(engine, 'ping')
  await told(engine, 'ping')
  await told(engine, 'ping')
  const answered = told(engine, 'data')
  engine.write('25["sync",{"since":41}]')
  expect(await answered).toEqual(['35[42]'])
  expect(engine._hasPingExpired()).toBe(false)
  engine.close()
})

test('tells its end once, whoever ends it', async () => {
  const engine = open()
  await told(engine, 'open')
  const ends: unknown[] = []
  engine.on('close', (reason: string) => ends.push(reason))
  const gone = told(engine, 'close')
  server.disconnectSockets(true)
  server.engine.close()
  await gone
  engine.close()
  expect(ends).toEqual(['transport close'])
})

test('a line without pings is dead', async () => {
  const engine = open()
  await told(engine, 'open')
  const ended = told(engine, 'close')
  for (const client of Object.values(Reflect.get(server.engine, 'clients') as Record<string, object>)) {
    // The server falls silent without closing: as with a cable that was pulled.
    clearTimeout(Reflect.get(client, 'pingIntervalTimer'))
    clearTimeout(Reflect.get(client, 'pingTimeoutTimer'))
  }
  expect(await ended).toEqual(['ping timeout'])
  expect(engine.transport.writable).toBe(false)
})

test('ends at once when the browser says that the network is gone', async () => {
  const engine = open()
  await told(engine, 'open')
  const ended = told(engine, 'close')
  page.dispatchEvent(new Event('offline'))
  expect(await ended).toEqual(['transport close'])
})

test('a server that is not there is an error, then an end', async () => {
  const { port } = new URL(uri)
  await server.close()
  const engine = new Socket(`http://127.0.0.1:${port}`, { path: '/v1/realtime' })
  const [failed, ended] = [told(engine, 'error'), told(engine, 'close')]
  expect((await failed)[0]).toBeInstanceOf(Error)
  expect(await ended).toEqual(['transport error'])
})

test('bytes are not taken for text', async () => {
  const engine = open()
  await told(engine, 'open')
  const ended = told(engine, 'close')
  for (const client of Object.values(
    Reflect.get(server.engine, 'clients') as Record<string, { write(b: Buffer): void }>,
  ))
    client.write(Buffer.from('4hello'))
  expect(await ended).toEqual(['parse error'])
})
