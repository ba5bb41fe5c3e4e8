// Tests a rotation under continuous calls with both keys: no failure in the overlap, refusal within a second after it.

import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { plainToken } from '../../auth/backend-token.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenRotation, MASTER_KEY } from '../support/given-rotation.ts'
import { type Caller, callRepeatedly, refusal, waitForAnswers } from '../support/repeated-calls.ts'
import { runningNow, within } from '../support/within.ts'

type Rotation = Awaited<ReturnType<typeof givenRotation>>
let given: GivenEdge
let commandLine: Rotation
const sockets: Socket[] = []
beforeEach(async () => {
  given = await givenEdge({ MASTER_KEY: MASTER_KEY.toString('base64') })
  commandLine = await givenRotation(given)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close()
  await commandLine.close()
  await given.stop()
})
const dev = () => given.demo.environments.dev

const tracking = (key: string) => async () =>
  (
    await given.call('POST', '/v1/events/track', {
      key,
      body: { sdkSecretKey: key, name: 'rotation.goes.on', userId: 'u' },
    })
  ).status

const signIn = (authSecretKey: string, apiKey: string, userId = 'ann') =>
  given.call<AuthAnswer>('POST', '/v1/users/auth', {
    body: { apiKey, userId, token: plainToken(authSecretKey, userId) },
  })

async function connected(session: AuthAnswer): Promise<{ socket: Socket; closedAt(): number | undefined }> {
  const socket = io(session.realtime.url, {
    path: session.realtime.path,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { token: session.sessionToken, epoch: session.inbox.epoch, since: 0 },
  })
  sockets.push(socket)
  let closedAt: number | undefined
  socket.on('disconnect', () => {
    closedAt = runningNow()
  })
  await new Promise((resolve) => socket.once('inbox', resolve))
  return { socket, closedAt: () => closedAt }
}

test('sdkSecretKey: both values are accepted in the overlap, and the old one is refused within a second of its end', async ({
  annotate,
}) => {
  const callers = [callRepeatedly(tracking(dev().sdkSecretKey))]
  await waitForAnswers(callers[0] as Caller, 10)
  const { value, rotation } = await commandLine.rotate('sdkSecretKey')
  expect(rotation).toMatchObject({ state: 'overlap', previous: { lastUsedAt: expect.any(String) } })
  callers.push(callRepeatedly(tracking(value)))
  const [old, fresh] = callers as [Caller, Caller]
  await Promise.all([waitForAnswers(old, 100), waitForAnswers(fresh, 100)])
  expect([old.failures(), fresh.failures()]).toEqual([0, 0])
  const inOverlap = [old.answers.length, fresh.answers.length]
  await commandLine.retire('sdkSecretKey')
  const endedAt = runningNow()
  await expect.poll(() => old.failures()).toBeGreaterThan(5)
  await expect.poll(() => runningNow() - endedAt).toBeGreaterThan(1100)
  await Promise.all(callers.map((caller) => caller.stop()))
  const measured = refusal(old, endedAt)
  await annotate(
    `overlap: ${inOverlap[0]} calls with the old and ${inOverlap[1]} with the new key, 0 failures; first refusal ${Math.round(measured.afterMs)} ms after retirement`,
  )
  expect(measured.late).toBe(0)
  expect(new Set(old.answers.filter(({ status }) => status >= 400).map(({ status }) => status))).toEqual(new Set([403]))
  expect(fresh.failures()).toBe(0)
  expect(await commandLine.read('sdkSecretKey')).toMatchObject({ state: 'single' })
})

test('authSecretKey: sessions and sockets of the old value end with it, and those of the new value and of prod stay', async ({
  annotate,
}) => {
  const session = (await signIn(dev().authSecretKey, dev().frontApiKey)).body
  const { value } = await commandLine.rotate('authSecretKey')
  const newSession = (await signIn(value, dev().frontApiKey)).body
  expect((await signIn(dev().authSecretKey, dev().frontApiKey)).status).toBe(200)
  const prodSession = await given.signIn('ann', 'prod')
  const [old, fresh, other] = await Promise.all([connected(session), connected(newSession), connected(prodSession)])
  const readWith = (of: AuthAnswer) => async () =>
    (await given.call('GET', '/v1/inbox/messages', { session: of })).status
  const [oldCalls, newCalls] = [callRepeatedly(readWith(session)), callRepeatedly(readWith(newSession))]
  await waitForAnswers(oldCalls, 50)
  expect(oldCalls.failures()).toBe(0)
  await commandLine.retire('authSecretKey')
  const endedAt = runningNow()
  await expect.poll(() => old.closedAt()).toBeDefined()
  await expect.poll(() => runningNow() - endedAt).toBeGreaterThan(1100)
  await Promise.all([oldCalls.stop(), newCalls.stop()])
  const socketMs = (old.closedAt() as number) - endedAt
  const measured = refusal(oldCalls, endedAt)
  await annotate(
    `${oldCalls.answers.length + newCalls.answers.length} calls; HTTP refused after ${Math.round(measured.afterMs)} ms, socket closed after ${Math.round(socketMs)} ms`,
  )
  expect(measured.late).toBe(0)
  expect(socketMs).toBeLessThan(1000)
  expect(newCalls.failures()).toBe(0)
  expect([fresh.closedAt(), other.closedAt()]).toEqual([undefined, undefined])
  expect((await signIn(dev().authSecretKey, dev().frontApiKey)).status).toBe(401)
  // The session has ended in the store as well, so no later notice restores it.
  await expect.poll(() => commandLine.stores.sessions.listEnded(Date.now())).toHaveLength(2)
})

test('new values are valid at once, although the old ones are cached', async () => {
  const before = await given.signIn('ann')
  expect((await given.call('GET', '/v1/inbox/messages', { session: before })).status).toBe(200)
  const { value: authSecretKey } = await commandLine.rotate('authSecretKey')
  expect((await signIn(authSecretKey, dev().frontApiKey)).status).toBe(200)
  const { value: frontApiKey } = await commandLine.rotate('frontApiKey')
  const { status, body: session } = await signIn(authSecretKey, frontApiKey)
  expect(status).toBe(200)
  expect((await given.call('GET', '/v1/inbox/messages', { session })).status).toBe(200)
  const { socket, closedAt } = await connected(session)
  expect([socket.connected, closedAt()]).toEqual([true, undefined])
})

test('sdkSecretKey: reads, which commit nothing, are refused within a second too', async ({ annotate }) => {
  const key = dev().sdkSecretKey
  const old = callRepeatedly(async () => (await given.call('GET', '/v1/events', { key })).status)
  await commandLine.rotate('sdkSecretKey')
  await waitForAnswers(old, 100)
  expect(old.failures()).toBe(0)
  await commandLine.retire('sdkSecretKey')
  const endedAt = runningNow()
  await expect.poll(() => runningNow() - endedAt).toBeGreaterThan(1100)
  await old.stop()
  const measured = refusal(old, endedAt)
  await annotate(`${old.answers.length} reads; first refusal ${Math.round(measured.afterMs)} ms after retirement`)
  expect(measured.late).toBe(0)
})

test('an emergency ends a Front API Key at once, with its sign-ins, sessions and sockets', async () => {
  const session = await given.signIn('ann')
  const { closedAt } = await connected(session)
  const { value } = await commandLine.emergency('frontApiKey')
  const endedAt = runningNow()
  await expect.poll(() => closedAt()).toBeDefined()
  expect((closedAt() as number) - endedAt).toBeLessThan(1000)
  await within(1000, async () => expect((await signIn(dev().authSecretKey, dev().frontApiKey)).status).toBe(401))
  expect((await given.call('GET', '/v1/inbox/messages', { session })).status).toBe(401)
  expect((await signIn(dev().authSecretKey, value)).status).toBe(200)
})

test('a request whose key is revoked before its commit fails, although the key is cached', async () => {
  expect(await tracking(dev().sdkSecretKey)()).toBe(202)
  await commandLine.emergency('sdkSecretKey')
  // At once: the edge has not received the change, only the transaction reads it.
  expect(await tracking(dev().sdkSecretKey)()).toBe(403)
})
