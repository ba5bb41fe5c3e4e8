// Tests realtime: handshake, frames, sync, renewal, refusals, disconnects.

import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import type { InboxFrame } from '../../../contract/frames.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
const sockets: Socket[] = []
beforeAll(async () => {
  given = await givenEdge()
  await given.publish(inboxCampaign('inbox', 'in.box'))
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => given.stop())

const key = () => given.demo.environments.dev.sdkSecretKey
const fields = (value: object) => Object.keys(value).sort()

/** Creates a signed-in user with `count` messages, the oldest first. */
async function givenUser(userId: string, count: number) {
  for (let n = 1; n <= count; n++) await given.track({ name: 'in.box', userId, properties: { name: n } })
  const session = await given.signIn(userId)
  const as = (method: string, path: string, body?: unknown) =>
    given.call(method, path, { session, ...(body === undefined ? {} : { body }) })
  const ids = (await given.page(session)).data.map(({ id }) => id).reverse()
  return { session, as, ids }
}

interface Client {
  socket: Socket
  frames: InboxFrame[]
}
function connect(session: AuthAnswer, auth: Record<string, unknown>, options: Record<string, unknown> = {}): Client {
  const frames: InboxFrame[] = []
  const socket = io(session.realtime.url, {
    path: session.realtime.path,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth,
    ...options,
  })
  sockets.push(socket)
  socket.on('inbox', (frame: InboxFrame) => frames.push(frame))
  return { socket, frames }
}
const expectFrames = (client: Client, wanted: number) =>
  expect.poll(() => client.frames.length).toBeGreaterThanOrEqual(wanted)
const refusal = (socket: Socket) =>
  new Promise((resolve) => socket.once('connect_error', (error) => resolve((error as Error & { data?: unknown }).data)))
const closed = (socket: Socket) => new Promise((resolve) => socket.once('disconnect', resolve))

test('a client receives missed changes, then each change, and sync and renew are acknowledged', async () => {
  const { session, as, ids } = await givenUser('live', 2)
  const { epoch } = session.inbox
  const client = connect(session, { token: session.sessionToken, epoch, since: 1 })
  await expectFrames(client, 1)
  expect(client.frames[0]).toMatchObject({
    epoch,
    from: 1,
    seq: 2,
    unread: 2,
    unopened: 2,
    changes: [{ seq: 2, op: 'add', message: { id: ids[1] } }],
  })
  expect(fields(client.frames[0] as object)).toEqual(['changes', 'epoch', 'from', 'seq', 'unopened', 'unread'])
  await as('PATCH', `/v1/inbox/messages/${ids[0]}`, { unopened: false })
  await as('DELETE', `/v1/inbox/messages/${ids[1]}`)
  await expectFrames(client, 3)
  expect(client.frames.slice(1)).toMatchObject([
    {
      from: 2,
      seq: 3,
      unread: 1,
      unopened: 1,
      changes: [{ seq: 3, op: 'update', id: ids[0], patch: { unopened: false } }],
    },
    { from: 3, seq: 4, unread: 0, unopened: 0, changes: [{ seq: 4, op: 'remove', id: ids[1] }] },
  ])
  const synced = await client.socket.emitWithAck('sync', { since: 3 })
  expect(synced).toEqual((await as('GET', '/v1/inbox/changes?since=3')).body)
  const next = await given.signIn('live')
  expect(await client.socket.emitWithAck('session:renew', { token: next.sessionToken })).toEqual({
    ok: true,
    expiresAt: next.expiresAt,
  })
  const otherUser = await given.signIn('stranger')
  for (const token of [otherUser.sessionToken, 'x', 7]) {
    expect(await client.socket.emitWithAck('session:renew', { token })).toEqual({
      ok: false,
      code: 'auth/invalid-session',
    })
  }
  const disconnected = closed(client.socket)
  await given.call('DELETE', '/v1/inbox/session', { session: next })
  await disconnected
})

test.each([
  ['from the future', (epoch: string) => ({ since: 9, epoch })],
  ['of another epoch', () => ({ since: 1, epoch: 'x' })],
])('a since %s is a reset without changes, at the current seq', async (_what, auth) => {
  const { session } = await givenUser('resets', 1)
  const client = connect(session, { token: session.sessionToken, ...auth(session.inbox.epoch) })
  await expectFrames(client, 1)
  const { seq } = client.frames[0] as InboxFrame
  expect(client.frames[0]).toEqual({ ...(await given.page(session)).inbox, from: seq, changes: [], reset: true })
})

test('a refusal is a connect_error with the code', async () => {
  const { session } = await givenUser('refusals', 0)
  for (const auth of [{}, { token: 'x' }, { token: 7 }, { token: key() }]) {
    expect(await refusal(connect(session, auth).socket)).toEqual({ code: 'auth/invalid-session' })
  }
  await given.call('DELETE', '/v1/inbox/session', { session })
  expect(await refusal(connect(session, { token: session.sessionToken }).socket)).toEqual({
    code: 'auth/invalid-session',
  })
  const polling = connect(session, { token: session.sessionToken }, { transports: ['polling'] })
  expect(await refusal(polling.socket)).toBeUndefined()
})

test("a sign-out of the user and an erasure close the user's sockets", async () => {
  for (const [method, path] of [
    ['POST', '/v1/users/goes/sign-out'],
    ['DELETE', '/v1/users/goes'],
  ] as const) {
    const session = await given.signIn('goes')
    const client = connect(session, { token: session.sessionToken, since: 0 })
    await expectFrames(client, 1)
    const disconnected = closed(client.socket)
    expect((await given.call(method, path, { key: key() })).status).toBe(200)
    await disconnected
  }
})
