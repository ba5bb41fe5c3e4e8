// Tests harmful widget sockets over bare TCP: one that stops reading is closed and recovers by `seq`.
// SQLite alone: what is tested lies in the gateway.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../../contract/limits.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { frameOf, headOfFrame, openRawSocket } from '../support/raw-socket.ts'
import { usedBytes } from '../support/used-memory.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' })
  const step = { id: 'tell', type: 'inbox', title: 'Hello', body: '{{ event.properties.text }}' }
  await given.publish(inboxCampaign('stalled', 'socket.stalled', { steps: [step] }))
})
afterAll(() => given.stop())

async function metric(name: string): Promise<number> {
  const { body } = await given.call<string>('GET', '/metrics')
  const line = String(body)
    .split('\n')
    .find((one) => one.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? 0)
}
const slowCuts = () => metric('nc_socket_cuts_total{reason="slow"}')

/** Sends messages with long bodies to one user, in one batch. */
async function sendMessages(userId: string, count: number, chars: number): Promise<void> {
  const { sdkSecretKey } = given.demo.environments.dev
  const text = 'x'.repeat(chars)
  const events = Array.from({ length: count }, () => ({ name: 'socket.stalled', userId, properties: { text } }))
  const answer = await given.call('POST', '/v1/events/track/batch', {
    key: sdkSecretKey,
    body: { sdkSecretKey, events },
  })
  expect(answer.status).toBe(202)
}

const MIB = 1024 * 1024

test('a socket that stops reading is closed, costs little memory, delays no other, and recovers when it reconnects', async () => {
  const session = await given.signIn('u_stalled')
  const stalled = await openRawSocket(session, 0)
  const reader = await openRawSocket(session, 0)
  stalled.net.pause()
  const before = usedBytes()
  // The kernel buffers some megabytes first; 120 MB exceed both limits by far.
  let sent = 0
  while ((await slowCuts()) === 0 && sent < 6000) {
    await sendMessages('u_stalled', 20, 20_000)
    sent += 20
    // Fewer at a time than one socket may queue, so that a reader never falls behind.
    await expect.poll(() => reader.frames.at(-1)?.seq, { interval: 1 }).toBe(sent)
  }
  expect(await slowCuts()).toBe(1)
  const growthMib = (usedBytes() - before) / MIB
  await expect.poll(() => metric('nc_sockets_open')).toBe(1)
  process.stdout.write(
    `stalled socket: closed after ${sent} messages of 20 KB, process grew by ${Math.round(growthMib)} MiB\n`,
  )
  expect(growthMib).toBeLessThan(64)

  // It reads what the kernel has buffered, sees the end, and reconnects with its position.
  stalled.net.resume()
  await stalled.closed
  const lastSeq = stalled.frames.at(-1)?.seq ?? 0
  expect(lastSeq).toBeLessThan(sent)
  const reconnected = await openRawSocket(session, lastSeq)
  const [first] = reconnected.frames
  expect(first).toMatchObject({ seq: sent, unread: sent })
  if (first?.reset !== true) expect(first?.changes.map(({ seq }) => seq).at(-1)).toBe(sent)
  await sendMessages('u_stalled', 1, 10)
  await expect.poll(() => reconnected.frames.at(-1)).toMatchObject({ from: sent, seq: sent + 1 })
  for (const { net } of [reader, reconnected]) net.destroy()
})

test('a client that reads stays connected during a thousand frames at once', async () => {
  const session = await given.signIn('u_burst')
  const client = await openRawSocket(session, 0)
  const cutsBefore = await slowCuts()
  await sendMessages('u_burst', 1000, 10)
  await expect.poll(() => client.frames.at(-1)?.seq).toBe(1000)
  expect(await slowCuts()).toBe(cutsBefore)
  client.net.destroy()
})

test('a socket is closed at 256 waiting packets, however small they are', async () => {
  const session = await given.signIn('u_small')
  const stalled = await openRawSocket(session, 0)
  const cutsBefore = await slowCuts()
  stalled.net.pause()
  let sent = 0
  while ((await slowCuts()) === cutsBefore && sent < 6000) {
    await sendMessages('u_small', 50, 6000)
    sent += 50
  }
  expect(await slowCuts()).toBe(cutsBefore + 1)
  stalled.net.resume()
  await stalled.closed
})

test.each([
  ['a frame over 16 KiB', frameOf(1, `42["sync",${'x'.repeat(LIMITS.socketFrameBytes)}]`)],
  ['a frame with a declared length of a terabyte', headOfFrame(1, 1024 ** 4)],
  [
    'fragments that are too long together',
    Buffer.concat([frameOf(1, 'x'.repeat(12_000), false), frameOf(0, 'x'.repeat(12_000))]),
  ],
  ['an unknown event', frameOf(1, '42["hello",1]')],
  ['a sync without a number', frameOf(1, '421["sync",{"since":"1"}]')],
  ['an unknown packet type', frameOf(1, '9invalid')],
  ['a binary frame', frameOf(2, 'abc')],
  ['an unmasked frame', Buffer.from([0x81, 0x01, 0x33])],
  ['more than 20 in a second', Buffer.concat(Array.from({ length: 25 }, () => frameOf(1, '421["sync",{"since":0}]')))],
  ['more than 20 pings in a second', Buffer.concat(Array.from({ length: 200 }, () => frameOf(9, 'p')))],
])('%s closes the socket, and no other', async (_, bytes) => {
  const session = await given.signIn('u_rude')
  const harmful = await openRawSocket(session, 0)
  const other = await openRawSocket(session, 0)
  harmful.net.write(bytes)
  await harmful.closed
  const [first] = other.frames
  await sendMessages('u_rude', 1, 10)
  await expect.poll(() => other.frames.at(-1)?.seq).toBe((first?.seq ?? 0) + 1)
  other.net.destroy()
})
