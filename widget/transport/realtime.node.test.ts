// The connection against the real Socket.IO server.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { openRealtime, type Realtime, type RealtimeOptions } from './realtime.ts'

const FRAME = { epoch: 'e', from: 1, seq: 2, unread: 1, unopened: 1, changes: [] }
/** Longer than a busy machine stands still: without an answer for so long the server ends a line, as does the line without a ping. */
const PATIENCE_MS = 60_000
const PING_MS = 60
const page = new EventTarget()
let server: Server
let url: string
let opened: Realtime | undefined

beforeEach(async () => {
  vi.stubGlobal('WebSocket', WebSocket)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const http = createServer()
  server = new Server(http, {
    path: '/v1/realtime',
    transports: ['websocket'],
    pingInterval: PING_MS,
    pingTimeout: PATIENCE_MS,
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterEach(async () => {
  vi.useRealTimers()
  opened?.close()
  await server.close()
  vi.unstubAllGlobals()
})

/** Opens, and tells what it hears by the name of the callback. */
function given(more: Partial<RealtimeOptions> = {}) {
  const heard: [string, unknown?][] = []
  const waiting: (() => void)[] = []
  const note = (name: string) => (what?: unknown) => {
    heard.push(what === undefined ? [name] : [name, what])
    for (const wake of waiting.splice(0)) wake()
  }
  const realtime = openRealtime({
    url,
    path: '/v1/realtime',
    auth: () => ({ token: 'a.b.c', epoch: '9', since: 12 }),
    onUp: note('up'),
    onDown: note('down'),
    onFrame: note('frame'),
    onExpiring: note('expiring'),
    ...more,
  })
  opened = realtime
  const until = async (name: string): Promise<unknown> => {
    for (;;) {
      const found = heard.find(([each]) => each === name)
      if (found !== undefined) return found[1]
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  return { realtime, heard, until }
}

test('shows its session, hears frames, and is answered in whatever order', async () => {
  const shown: unknown[] = []
  server.on('connection', (socket) => {
    shown.push(socket.handshake.auth)
    socket.emit('inbox', FRAME)
    socket.emit('session:expiring', { expiresAt: '' })
    let first: (() => void) | undefined
    socket.on('sync', (question, answer) => {
      const act = () => answer({ ...FRAME, seq: question.since, reset: false })
      if (first === undefined) first = act
      else {
        act()
        first()
      }
    })
    socket.on('session:renew', ({ token }, answer) => answer({ ok: false, code: token }))
  })
  const { realtime, until } = given()
  expect(await until('frame')).toEqual(FRAME)
  await until('expiring')
  expect(shown).toEqual([{ token: 'a.b.c', epoch: '9', since: 12 }])
  const [one, other] = await Promise.all([realtime.sync(41), realtime.sync(42)])
  expect([one.seq, other.seq]).toEqual([41, 42])
  expect(await realtime.renew('t2')).toEqual({ ok: false, code: 't2' })
})

test('answers pings, so that the server keeps it', async () => {
  const { heard, until } = given()
  await until('up')
  let pings = 0
  const counted = new Promise<void>((resolve) => {
    for (const client of Object.values(Reflect.get(server.engine, 'clients') as Record<string, NodeJS.EventEmitter>)) {
      client.on('heartbeat', () => ++pings === 3 && resolve())
    }
  })
  await counted
  expect(heard).toEqual([['up']])
})

test('a refusal is told with its code', async () => {
  server.use((_, next) => next(Object.assign(new Error('no'), { data: { code: 'auth/invalid-session' } })))
  const { heard, until } = given()
  expect(await until('down')).toBe('auth/invalid-session')
  expect(heard).toEqual([['down', 'auth/invalid-session']])
})

test('its end is told once, whoever ends it, and not when it was closed here', async () => {
  const { realtime, heard, until } = given()
  await until('up')
  server.disconnectSockets(true)
  await until('down')
  realtime.close()
  expect(heard).toEqual([['up'], ['down']])
  const other = given()
  await other.until('up')
  other.realtime.close()
  expect(other.heard).toEqual([['up']])
})

test('a server that is not there is told as an end', async () => {
  const { until } = given({ url: 'http://127.0.0.1:1' })
  expect(await until('down')).toBeUndefined()
})

test('a line without pings is dead', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { heard, until } = given()
  await until('up')
  for (const client of Object.values(Reflect.get(server.engine, 'clients') as Record<string, object>)) {
    // The server falls silent without closing: as with a cable that was pulled.
    clearTimeout(Reflect.get(client, 'pingIntervalTimer'))
    clearTimeout(Reflect.get(client, 'pingTimeoutTimer'))
  }
  vi.advanceTimersByTime(PATIENCE_MS)
  expect(heard).toEqual([['up']])
  vi.advanceTimersByTime(PING_MS)
  expect(await until('down')).toBeUndefined()
})

test('a question without an answer is refused in its time', async () => {
  const { realtime, until } = given()
  await until('up')
  await expect(realtime.sync(1, 20)).rejects.toThrow('sync')
})

test('ends at once when the browser says that the network is gone', async () => {
  const { until } = given()
  await until('up')
  page.dispatchEvent(new Event('offline'))
  await until('down')
})
