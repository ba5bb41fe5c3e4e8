// Tests the realtime gateway over real sockets.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { InboxFrame } from '../../../contract/frames.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { type GivenRealtime, givenRealtime, type Listener } from '../support/given-realtime.ts'

/** For all cases, each with its own user. */
let given: GivenRealtime
let ann = ''
let cases = 0
beforeAll(async () => {
  // It sends positions only with changes.
  given = await givenRealtime({ headsEveryMs: 600_000 })
})
beforeEach(() => {
  cases++
  ann = `ann-${cases}`
})
afterEach(() => given.clear())
afterAll(() => given.close())

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 10 })
const firstFrame = async (listener: Listener): Promise<InboxFrame> => {
  await eventually(() => expect(listener.frames.length).toBeGreaterThan(0))
  return listener.frames[0] as InboxFrame
}
const refusalOf = async ({ client }: Listener): Promise<unknown> =>
  new Promise((resolve) => client.once('connect_error', (error) => resolve('data' in error ? error.data : error)))

test('the first frame has the changes after since, the inbox position and complete messages', async () => {
  const { token, epoch } = await given.signIn(ann)
  const [first, second] = await given.addMessages(ann, 2)
  const frame = await firstFrame(given.connect({ token, epoch, since: 1 }))
  expect(frame).toMatchObject({ epoch, from: 1, seq: 2, unread: 2, unopened: 2 })
  expect(frame).not.toHaveProperty('reset')
  expect(frame.changes).toHaveLength(1)
  expect(frame.changes[0]).toMatchObject({
    seq: 2,
    op: 'add',
    message: { id: formatId('message', second ?? 0), seq: 2, title: 'Hello', unopened: true, readAt: null },
  })
  expect(JSON.stringify(frame)).not.toContain(formatId('message', first ?? 0))
})

test('a client without missed changes gets a first frame without changes', async () => {
  const { token, epoch } = await given.signIn(ann)
  await given.addMessages(ann)
  expect(await firstFrame(given.connect({ token, epoch, since: 1 }))).toEqual({
    epoch,
    from: 1,
    seq: 1,
    unread: 1,
    unopened: 1,
    changes: [],
  })
})

test.each([
  ['from the future', (epoch: string) => ({ since: 99, epoch })],
  ['of another epoch', () => ({ since: 1, epoch: 'another' })],
  ['that is no number', (epoch: string) => ({ since: '1', epoch })],
  ['below zero', (epoch: string) => ({ since: -1, epoch })],
  ['that is missing', (epoch: string) => ({ epoch })],
])('a since %s is answered with a reset', async (_, handshake) => {
  const { token, epoch } = await given.signIn(ann)
  await given.addMessages(ann, 3)
  const frame = await firstFrame(given.connect({ token, ...handshake(epoch) }))
  expect(frame).toEqual({ epoch, from: 3, seq: 3, unread: 3, unopened: 3, changes: [], reset: true })
})

test('a since that is older than the log is answered with a reset', async () => {
  const { token, epoch, owner } = await given.signIn(ann)
  const ids = (await given.addMessages(ann, 350)).map((id) => formatId('message', id))
  for (const archived of [true, false, true]) await given.changeInbox.changeMany(owner, ids, { archived })
  // The log keeps the last thousand of the 1400 changes.
  const frame = await firstFrame(given.connect({ token, epoch, since: 399 }))
  expect(frame).toMatchObject({ reset: true, changes: [], seq: 1400, from: 1400 })
  const known = await firstFrame(given.connect({ token, epoch, since: 400 }))
  expect([known.reset, known.seq, known.changes.length]).toEqual([undefined, 1400, 1000])
})

test('a commit reaches all sockets of its user as one frame, and no other socket', async () => {
  const { token, epoch, owner } = await given.signIn(ann)
  const bob = await given.signIn(`${ann}-other`)
  const tabs = [given.connect({ token, epoch, since: 0 }), given.connect({ token, epoch, since: 0 })]
  const otherUser = given.connect({ token: bob.token, epoch: bob.epoch, since: 0 })
  await Promise.all([...tabs, otherUser].map(firstFrame))
  const [id] = await given.addMessages(ann, 2)
  await given.recordDelivery.recordOne(owner, { messageId: formatId('message', id ?? 0), eventType: 'opened' })
  for (const tab of tabs) {
    await eventually(() => expect(tab.frames).toHaveLength(3))
    expect(tab.frames[1]).toMatchObject({ from: 0, seq: 2, unread: 2, unopened: 2 })
    expect(tab.frames[1]?.changes.map((change) => change.op)).toEqual(['add', 'add'])
    const at = toIso(given.clock.now())
    expect(tab.frames[2]).toEqual({
      epoch,
      from: 2,
      seq: 3,
      unread: 1,
      unopened: 1,
      changes: [
        {
          seq: 3,
          op: 'update',
          id: formatId('message', id ?? 0),
          patch: { unopened: false, readAt: at, openedAt: at },
        },
      ],
    })
  }
  expect(otherUser.frames).toHaveLength(1)
})

test('sync returns the same as the changes route', async () => {
  const { token, epoch } = await given.signIn(ann)
  await given.addMessages(ann, 3)
  const listener = given.connect({ token, epoch, since: 3 })
  await firstFrame(listener)
  const answer = await listener.client.emitWithAck('sync', { since: 1 })
  expect(answer).toMatchObject({ epoch, seq: 3, unread: 3, unopened: 3, reset: false })
  expect(answer.changes.map((change) => change.seq)).toEqual([2, 3])
  expect(await listener.client.emitWithAck('sync', { since: 42 })).toMatchObject({ seq: 3, changes: [], reset: true })
})

test('a lost push is recovered by the positions sent regularly, and a push after a gap by the log', async () => {
  const own = await givenRealtime({ headsEveryMs: 30 })
  try {
    const { token, epoch } = await own.signIn(ann)
    const listener = own.connect({ token, epoch, since: 0 })
    await firstFrame(listener)
    await own.addMessagesUnpublished(ann)
    await eventually(() => expect(listener.frames.at(-1)).toMatchObject({ from: 1, seq: 1, unread: 1, changes: [] }))
    await own.addMessages(ann)
    await eventually(() => expect(listener.frames.some((frame) => frame.changes.length === 2)).toBe(true))
    const recovered = listener.frames.find((frame) => frame.changes.length === 2)
    expect(recovered).toMatchObject({ from: 0, seq: 2 })
    expect(own.counted.heals).toContain('changes')
  } finally {
    await own.close()
  }
})

test.each([
  ['no token', undefined],
  ['an invalid token', 'invalid'],
  ['a token of a wrong type', 42],
])('%s is refused with auth/invalid-session', async (_, token) => {
  const listener = given.connect({ token, since: 0 })
  expect(await refusalOf(listener)).toEqual({ code: 'auth/invalid-session' })
  expect(listener.frames).toEqual([])
  expect(given.counted).toMatchObject({ refused: 1, sockets: 0 })
})

test('a page of a forbidden origin is refused, and one of an allowed origin gets its frame', async () => {
  const own = await givenRealtime({ allowedOrigins: ['https://*.shop.example'] })
  try {
    const { token, epoch } = await own.signIn(ann)
    const from = (origin: string) => own.connect({ token, epoch, since: 0 }, { extraHeaders: { origin } })
    for (const origin of ['https://evil.example', 'null', 'https://shop.example.evil.example']) {
      expect(await refusalOf(from(origin))).toEqual({ code: 'auth/invalid-session' })
    }
    expect(await firstFrame(from('https://www.shop.example'))).toMatchObject({ seq: 0 })
  } finally {
    await own.close()
  }
})

test('plain requests under the realtime path are handled by the app', async () => {
  const answer = await given.call('GET', '/v1/realtime/?EIO=4&transport=polling')
  expect(answer).toMatchObject({ status: 404, body: { code: 'request/not-found' } })
})
