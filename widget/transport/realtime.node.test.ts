// The connection against the real Socket.IO server.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import type { Realtime, RealtimeOptions } from './realtime.ts'

const FRAME = { epoch: 'e', from: 1, seq: 2, unread: 1, unopened: 1, changes: [] }
/** Longer than a busy machine stands still: without an answer for so long the server ends a line, as does the line without a ping. */
const PATIENCE_MS = 60_000
const PING_MS = 60
const page = new EventTarget()
/** Longer than any delay before the next attempt. */
const LONGEST_DELAY_MS = 10_000
let server: Server
let url: string
let opened: Realtime | undefined

// The client looks for them when it is loaded.
vi.stubGlobal('WebSocket', WebSocket)
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
const { Manager } = await import('socket.io-client')
const { createRealtime, RECONNECT } = await import('./realtime.ts')
afterAll(() => vi.unstubAllGlobals())

beforeEach(async () => {
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
})

/** Opens, and tells what it hears by the name of the callback. */
function given(more: Partial<RealtimeOptions> = {}) {
  const heard: [string, unknown?][] = []
  const waiting: (() => void)[] = []
  const note = (name: string) => (what?: unknown) => {
    heard.push(what === undefined ? [name] : [name, what])
    for (const wake of waiting.splice(0)) wake()
  }
  const realtime = createRealtime({
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
  /** The `times`th of that name. */
  const until = async (name: string, times = 1): Promise<unknown> => {
    for (;;) {
      const found = heard.filter(([each]) => each === name)[times - 1]
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

test('a refusal is told with its code, and the next attempt shows the session of its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const shown: unknown[] = []
  server.use(({ handshake }, next) => {
    shown.push(handshake.auth.token)
    if (shown.length > 1) next()
    else next(Object.assign(new Error('no'), { data: { code: 'auth/invalid-session' } }))
  })
  let token = 'old'
  const { heard, until } = given({ auth: () => ({ token, epoch: '9', since: 12 }) })
  expect(await until('down')).toBe('auth/invalid-session')
  token = 'new'
  vi.advanceTimersByTime(LONGEST_DELAY_MS)
  await until('up')
  expect(heard).toEqual([['down', 'auth/invalid-session'], ['up']])
  expect(shown).toEqual(['old', 'new'])
})

test.each([
  ['the server', () => server.disconnectSockets(true)],
  ['the transport', () => server.sockets.sockets.forEach(({ conn }) => void conn.close())],
  ['the page, which had no answer', () => opened?.drop()],
])('an end by %s is told once, and the next attempt comes within 10 s', async (_, end) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { heard, until } = given()
  await until('up')
  end()
  await until('down')
  expect(heard).toEqual([['up'], ['down']])
  vi.advanceTimersByTime(LONGEST_DELAY_MS)
  await until('up', 2)
})

test('once closed it tells nothing and connects no more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { realtime, heard, until } = given()
  await until('up')
  realtime.close()
  const other = given()
  await other.until('up')
  server.disconnectSockets(true)
  await other.until('down')
  other.realtime.close()
  const sockets = vi.fn()
  server.on('connection', sockets)
  vi.advanceTimersByTime(LONGEST_DELAY_MS)
  const last = given()
  await last.until('up')
  expect([heard, other.heard, sockets.mock.calls.length]).toEqual([[['up']], [['up'], ['down']], 1])
})

test('a server that is not there is told, and tried again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { until } = given({ url: 'http://127.0.0.1:1' })
  expect(await until('down')).toBeUndefined()
  vi.advanceTimersByTime(LONGEST_DELAY_MS)
  await until('down', 2)
})

test('the first attempts of 15,000 pages that lose their server at one instant are spread over 1 to 10 s', () => {
  const delays = Array.from({ length: 15_000 }, () => {
    const manager = new Manager(url, { ...RECONNECT, autoConnect: false })
    return Reflect.get(manager, 'backoff').duration() as number
  })
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000)
  expect(Math.max(...delays)).toBeLessThanOrEqual(LONGEST_DELAY_MS)
  for (let from = 1_000; from < LONGEST_DELAY_MS; from += 100) {
    // An even pace is 1,700 in a second.
    expect(delays.filter((delay) => delay >= from && delay < from + 1_000).length).toBeLessThan(2_300)
  }
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
  await expect(realtime.sync(1, 20)).rejects.toThrow()
})

test('ends at once when the browser says that the network is gone', async () => {
  const { until } = given()
  await until('up')
  page.dispatchEvent(new Event('offline'))
  await until('down')
})

const HANDSHAKE = `0${JSON.stringify({ sid: 'a', upgrades: [], pingInterval: PING_MS, pingTimeout: PATIENCE_MS, maxPayload: 1e6 })}`
const CONNECTED = '40{"sid":"b"}'

test.each([
  ['nothing', ['']],
  ['another protocol', ['hello']],
  ['a handshake that is cut off', ['0{"sid"']],
  ['a handshake of another shape', ['0null']],
  ['a handshake without what it is for', ['0{}']],
  ['a type of the transport that is none', [HANDSHAKE, '9']],
  ['a greeting without a session', [HANDSHAKE, '40{}']],
  ['a greeting without words', [HANDSHAKE, '40']],
  ['a refusal without words', [HANDSHAKE, '44']],
  ['a refusal that is a text', [HANDSHAKE, '44"no"']],
  ['a packet without a type', [HANDSHAKE, CONNECTED, '4']],
  ['a type that is none', [HANDSHAKE, CONNECTED, '49']],
  ['a binary packet', [HANDSHAKE, CONNECTED, '451-["inbox",{"_placeholder":true,"num":0}]']],
  ['bytes', [HANDSHAKE, CONNECTED, Buffer.from([4, 2])]],
  ['an event without a name', [HANDSHAKE, CONNECTED, '42']],
  ['an event with the name of an event of the client', [HANDSHAKE, CONNECTED, '42["connect_error"]']],
  ['an event that is no list', [HANDSHAKE, CONNECTED, '42{"a":1}']],
  ['JSON that is cut off', [HANDSHAKE, CONNECTED, '42["inbox"']],
  ['an answer that is no list', [HANDSHAKE, CONNECTED, '43{"ok":true}']],
  ['an answer without data', [HANDSHAKE, CONNECTED, '430']],
  ['something before a packet', [HANDSHAKE, CONNECTED, '4x2["inbox"]']],
])('%s ends the connection, throws nothing in the page, and the next attempt follows', async (_, packets) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const hostile = new WebSocket.Server({ port: 0, host: '127.0.0.1' })
  await once(hostile, 'listening')
  hostile.on('connection', (line) => {
    for (const packet of packets) line.send(packet)
  })
  try {
    const { realtime, until } = given({ url: `http://127.0.0.1:${(hostile.address() as AddressInfo).port}` })
    if (packets.length > 2) {
      await until('up')
      // An answer that nobody waits for is ignored.
      realtime.sync(1).catch(() => {})
    }
    await until('down')
    const again = once(hostile, 'connection')
    vi.advanceTimersByTime(LONGEST_DELAY_MS)
    await again
    realtime.close()
  } finally {
    for (const line of hostile.clients) line.terminate()
    await new Promise((resolve) => hostile.close(resolve))
  }
})
