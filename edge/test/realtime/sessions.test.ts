// Tests sessions and limits of connected sockets.

import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { LIMITS } from '../../../contract/limits.ts'
import { toIso } from '../../lib/clock.ts'
import { REALTIME_PATH } from '../../realtime/gateway.ts'
import { LIFETIME_MS } from '../support/given-auth.ts'
import { type GivenRealtime, givenRealtime, type Listener } from '../support/given-realtime.ts'
import { frameOf } from '../support/raw-socket.ts'

/** For all cases, each with its own users. */
let given: GivenRealtime
let ann = ''
let bob = ''
let cases = 0
beforeAll(async () => {
  // It sends positions only with changes.
  given = await givenRealtime({ headsEveryMs: 600_000 })
})
beforeEach(() => {
  cases++
  ann = `ann-${cases}`
  bob = `bob-${cases}`
})
afterEach(() => given.clear())
afterAll(() => given.close())

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 10 })

/** Connects a client without reconnection and waits for its first frame. */
async function connected(token: string, epoch: string, to = given): Promise<Listener> {
  const listener = to.connect({ token, epoch, since: 0 }, { reconnection: false })
  await eventually(() => expect(listener.frames).toHaveLength(1))
  return listener
}

test('a session that expires soon is announced once, and its socket is closed at the end', async () => {
  const { token, epoch, session } = await given.signIn(ann)
  const listener = await connected(token, epoch)
  given.clock.at += LIFETIME_MS - LIMITS.sessionExpiringMs
  await eventually(() => expect(listener.expiring).toEqual([toIso(session.expiresAt)]))
  expect(listener.disconnects).toEqual([])
  given.clock.at += LIMITS.sessionExpiringMs
  await eventually(() => expect(listener.disconnects).toEqual(['transport close']))
  expect(listener.expiring).toHaveLength(1)
  await eventually(() => expect(given.gateway.size()).toBe(0))
})

test('a renewed socket stays after its first session ends, and the end of the second is announced', async () => {
  const { token, epoch, session } = await given.signIn(ann)
  const listener = await connected(token, epoch)
  given.clock.at += LIFETIME_MS - 1000
  await eventually(() => expect(listener.expiring).toHaveLength(1))
  const next = await given.signIn(ann)
  expect(await listener.client.emitWithAck('session:renew', { token: next.token })).toEqual({
    ok: true,
    expiresAt: toIso(next.session.expiresAt),
  })
  // The end of the first session no longer affects this socket.
  await given.sessions.end(session)
  given.clock.at = next.session.expiresAt - 1
  await eventually(() => expect(listener.expiring).toEqual([toIso(session.expiresAt), toIso(next.session.expiresAt)]))
  expect(listener.disconnects).toEqual([])
  given.clock.at++
  await eventually(() => expect(listener.disconnects).toEqual(['transport close']))
})

test.each([
  ['of another user', async () => (await given.signIn(bob)).token],
  ['that is invalid', async () => 'invalid'],
  ['that is missing', async () => undefined],
])('a token %s does not renew, and the socket keeps its own session', async (_, foreignToken) => {
  const { token, epoch } = await given.signIn(ann)
  const listener = await connected(token, epoch)
  const request = { token: (await foreignToken()) as string }
  expect(await listener.client.emitWithAck('session:renew', request)).toEqual({
    ok: false,
    code: 'auth/invalid-session',
  })
  await given.addMessages(bob)
  await given.addMessages(ann)
  await eventually(() => expect(listener.frames).toHaveLength(2))
  expect(listener.frames[1]).toMatchObject({ seq: 1, unread: 1 })
})

test('a sign-out closes exactly the sockets of that session', async () => {
  const one = await given.signIn(ann)
  const two = await given.signIn(ann)
  const tabs = [await connected(one.token, one.epoch), await connected(one.token, one.epoch)]
  const device = await connected(two.token, two.epoch)
  await given.sessions.end(one.session)
  for (const tab of tabs) await eventually(() => expect(tab.disconnects).toEqual(['transport close']))
  await given.addMessages(ann)
  await eventually(() => expect(device.frames).toHaveLength(2))
  expect(device.disconnects).toEqual([])
  expect(tabs.map((tab) => tab.frames.length)).toEqual([1, 1])
})

test('a client whose session ended reconnects and is refused', async () => {
  const { token, epoch, session } = await given.signIn(ann)
  const listener = given.connect({ token, epoch, since: 0 })
  await eventually(() => expect(listener.frames).toHaveLength(1))
  const refusal = new Promise((resolve) =>
    listener.client.once('connect_error', (error) => resolve('data' in error ? error.data : error)),
  )
  await given.sessions.end(session)
  expect(await refusal).toEqual({ code: 'auth/invalid-session' })
})

test('a retired Front API Key closes the sockets of its environment, also without an announcement of the end', async () => {
  const own = await givenRealtime()
  try {
    const { token, epoch, session } = await own.signIn(ann)
    const listener = await connected(token, epoch, own)
    await own.stores.secrets.retire(own.environment.id, session.frontKeyId, own.clock.now() + 5000)
    own.bus.publish('environment-changed', { environmentId: own.environment.id })
    own.clock.at += 5000
    await eventually(() => expect(listener.disconnects).toEqual(['transport close']))
  } finally {
    await own.close()
  }
})

test('twenty frames in a second are accepted, and the next one closes the socket', async () => {
  const { token, epoch } = await given.signIn(ann)
  const listener = await connected(token, epoch)
  const syncs = Array.from({ length: LIMITS.socketFramesPerSecond }, () =>
    listener.client.emitWithAck('sync', { since: 0 }),
  )
  expect(await Promise.all(syncs)).toHaveLength(LIMITS.socketFramesPerSecond)
  expect(listener.disconnects).toEqual([])
  for (let n = 0; n <= LIMITS.socketFramesPerSecond; n++) listener.client.emit('sync', { since: 0 }, () => {})
  await eventually(() => expect(listener.disconnects).toHaveLength(1))
  expect(given.counted.cuts).toEqual(['flood'])
})

test.each([
  ['an unknown event', (client: Listener['client']) => client.send('hello')],
  ['a sync without a number', (client: Listener['client']) => client.emit('sync', { since: '1' as never }, () => {})],
  [
    'a renewal without an acknowledgement',
    (client: Listener['client']) => client.emit('session:renew', { token: '' }, '' as never),
  ],
])('%s closes the socket', async (_, send) => {
  const { token, epoch } = await given.signIn(ann)
  const listener = await connected(token, epoch)
  send(listener.client)
  await eventually(() => expect(listener.disconnects).toHaveLength(1))
  expect(given.counted.cuts).toEqual(['protocol'])
  await eventually(() => expect(given.gateway.size()).toBe(0))
})

test('a burst of handshakes in one WebSocket closes it, and none of them becomes a socket', async () => {
  const { token, epoch } = await given.signIn(ann)
  const handshakes = LIMITS.socketFramesPerSecond - 2
  const { answers, closed } = await sendHandshakes(given.port, { token, epoch, since: 0 }, handshakes)
  expect(await closed).toBe(true)
  expect(answers().filter((text) => text.startsWith('40'))).toHaveLength(0)
  expect(given.counted.cuts).toEqual(['protocol'])
  await eventually(() => expect(given.gateway.size()).toBe(0))
})

test('a frame over 16 KiB closes the socket, and one below is accepted', async () => {
  const { token, epoch } = await given.signIn(ann)
  const listener = await connected(token, epoch)
  const padded = (chars: number) => ({ token: 'x'.repeat(chars) })
  expect(await listener.client.emitWithAck('session:renew', padded(16_000))).toMatchObject({ ok: false })
  listener.client.emit('session:renew', padded(LIMITS.socketFrameBytes), () => {})
  await eventually(() => expect(listener.disconnects).toHaveLength(1))
})

test('a client that stops reading is disconnected, and other clients of the same user are not', async () => {
  const { token, epoch } = await given.signIn(ann)
  const slow = await connected(token, epoch)
  const reader = await connected(token, epoch)
  pause(slow)
  let sent = 0
  while (!given.counted.cuts.includes('slow') && sent < 400) {
    await given.addMessages(ann, 1, { bodyChars: 60_000 })
    sent++
  }
  expect(given.counted.cuts).toEqual(['slow'])
  await eventually(() => expect(reader.frames.at(-1)?.seq).toBe(sent))
  await eventually(() => expect(given.gateway.size()).toBe(1))
  expect(reader.disconnects).toEqual([])
})

/** Opens a WebSocket and sends this many handshakes in one write. */
async function sendHandshakes(port: number, auth: object, count: number) {
  const net = connect({ host: '127.0.0.1', port })
  const texts: string[] = []
  net.on('error', () => {})
  net.on('data', (chunk: Buffer) => texts.push(...chunk.toString('latin1').split(/(?=4[02][{[])/)))
  const closed = once(net, 'close').then(() => true)
  const path = `${REALTIME_PATH}/?EIO=4&transport=websocket`
  const key = Buffer.alloc(16, 7).toString('base64')
  net.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  await eventually(() => expect(texts.join('')).toContain('"sid"'))
  const handshake = frameOf(1, `40${JSON.stringify(auth)}`)
  net.write(Buffer.concat(Array.from({ length: count }, () => handshake)))
  return { answers: () => texts, closed }
}

/** Stops reading from the client's TCP connection, like a page that hangs. */
function pause({ client }: Listener): void {
  const { engine } = client.io
  const webSocket: unknown = Reflect.get(engine.transport, 'ws')
  if (typeof webSocket !== 'object' || webSocket === null || !('pause' in webSocket))
    throw new Error('Not a ws socket.')
  ;(webSocket.pause as () => void).call(webSocket)
}
