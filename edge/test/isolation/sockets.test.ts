// Tests tenant isolation of sockets: handshakes, renewals and pushes belong to one user of one environment.

import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AuthAnswer, InboxChanges } from '../../../contract/api.ts'
import type {
  ClientToServer,
  HandshakeAuth,
  InboxFrame,
  RenewAnswer,
  ServerToClient,
} from '../../../contract/frames.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { givenNc } from '../support/given-nc.ts'
import { type Keys, type RefusedCredential, refusedCredentials } from './credentials.ts'
import { createTenant, secretsOf, type Tenant } from './tenant.ts'

let given: GivenEdge
let mail: GivenMailApi
let victim: Tenant
/** Another user of the same environment, and a user of another environment. */
let others: { otherUser: Tenant; otherEnvironment: Tenant }
let refused: RefusedCredential[]
const open: Socket[] = []

beforeAll(async () => {
  mail = await givenMailApi()
  given = await givenEdge(mail.env, { outbound: mail.outbound })
  const cli = givenNc(given.settings)
  const organisation = (await cli.json<{ id: string }>('org create --name Elsewhere')).id
  const createEnv = async (name: string): Promise<Keys> => {
    const command = `env create --org ${organisation} --name ${name}`
    const { id, secrets } = await cli.json<{ id: string; secrets: Omit<Keys, 'id'> }>(command)
    return { ...secrets, id }
  }
  const { dev } = given.demo.environments
  victim = await createTenant(given, mail, dev, 'vera')
  const otherUser = await createTenant(given, mail, dev, 'nadja')
  others = { otherUser, otherEnvironment: await createTenant(given, mail, await createEnv('away'), 'anton') }
  refused = await refusedCredentials(given, cli, createEnv)
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect()
})
afterAll(async () => {
  await given.stop()
  await mail.stop()
})

interface Client {
  socket: Socket<ServerToClient, ClientToServer>
  frames: InboxFrame[]
  /** Answer to a refused handshake. */
  refusals: unknown[]
}

function connect({ realtime }: Pick<AuthAnswer, 'realtime'>, auth: Partial<HandshakeAuth>): Client {
  const socket: Client['socket'] = io(realtime.url, {
    path: realtime.path,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth,
  })
  const client: Client = { socket, frames: [], refusals: [] }
  socket.on('inbox', (frame) => client.frames.push(frame))
  socket.on('connect_error', (error) => client.refusals.push('data' in error ? error.data : error.message))
  open.push(socket)
  return client
}

const until = (check: () => boolean) => vi.waitUntil(check, { timeout: 60_000, interval: 10 })
const kinds = ['otherUser', 'otherEnvironment'] as const

describe('a handshake', () => {
  test('without a valid session is refused, always with the same answer', async () => {
    const { realtime } = await victim.signIn()
    const tokens = [...refused.map(({ credential }) => credential), victim.keys.sdkSecretKey]
    const clients = tokens.map((token) => connect({ realtime }, { token, epoch: victim.names.epoch, since: 0 }))
    await until(() => clients.every(({ refusals }) => refusals.length > 0))
    for (const { refusals, frames } of clients) {
      expect(refusals).toEqual([expect.objectContaining({ code: 'auth/invalid-session' })])
      expect(frames).toEqual([])
    }
    expect(new Set(clients.map(({ refusals }) => Object.keys(refusals[0] as object).join())).size).toBe(1)
  })

  test.each(kinds)("of %s with the victim's epoch and position gets a reset of its own inbox", async (kind) => {
    const own = await others[kind].signIn()
    const { inbox } = await victim.signIn()
    const client = connect(own, { token: own.sessionToken, epoch: inbox.epoch, since: inbox.seq - 1 })
    const unknown = connect(own, { token: own.sessionToken, epoch: 'nobody-epoch', since: inbox.seq - 1 })
    await until(() => client.frames.length > 0 && unknown.frames.length > 0)
    expect(client.frames[0]).toMatchObject({ epoch: own.inbox.epoch, reset: true, changes: [] })
    expect(client.frames[0]).toEqual(unknown.frames[0])
    // A position beyond the user's own log is also answered with a reset.
    const beyond = connect(own, { token: own.sessionToken, epoch: own.inbox.epoch, since: own.inbox.seq + 50 })
    await until(() => beyond.frames.length > 0)
    expect(beyond.frames[0]).toMatchObject({ epoch: own.inbox.epoch, reset: true, changes: [] })
  })
})

describe('an open socket', () => {
  test.each(kinds)("of %s is not renewed by the victim's session, and stays with its own user", async (kind) => {
    const other = others[kind]
    const own = await other.signIn()
    const client = connect(own, { token: own.sessionToken, epoch: own.inbox.epoch, since: own.inbox.seq })
    await until(() => client.frames.length > 0)
    const renew = (token: string) =>
      new Promise<RenewAnswer>((resolve) => client.socket.emit('session:renew', { token }, resolve))
    const { sessionToken } = await victim.signIn()
    const refusal = await renew(sessionToken)
    expect(refusal).toEqual({ ok: false, code: 'auth/invalid-session' })
    expect(await renew('nonsense')).toEqual(refusal)
    const sync = await new Promise<InboxChanges>((resolve) => client.socket.emit('sync', { since: 0 }, resolve))
    expect(sync.epoch).toBe(own.inbox.epoch)
    // The socket is still served with its own changes.
    await track(other)
    await until(() => client.frames.some(({ changes }) => changes.length > 0))
    const received = JSON.stringify([client.frames, sync])
    expect(received).toContain(`${other.mark} title`)
    expect(secretsOf(victim).filter((secret) => received.includes(secret))).toEqual([])
    expect((await renew((await other.signIn()).sessionToken)).ok).toBe(true)
  })

  test("receives nothing of another user's messages, reads and sign-outs", async () => {
    const victimSession = await victim.signIn()
    const { sessionToken: token, inbox } = victimSession
    const victimSocket = connect(victimSession, { token, epoch: inbox.epoch, since: inbox.seq })
    const sessions = await Promise.all(kinds.map((kind) => others[kind].signIn()))
    const listeners = sessions.map((own) =>
      connect(own, { token: own.sessionToken, epoch: own.inbox.epoch, since: own.inbox.seq }),
    )
    await until(() => [victimSocket, ...listeners].every(({ frames }) => frames.length > 0))
    await track(victim)
    await given.call('POST', '/v1/inbox/read-all', { session: victimSession, body: { seq: 99 } })
    await until(() => victimSocket.frames.flatMap(({ changes }) => changes).length >= 2)
    // Pushes to a user keep their order: a frame of the victim would have arrived before the own one.
    for (const kind of kinds) await track(others[kind])
    await until(() => listeners.every(({ frames }) => frames.length > 1))
    const received = JSON.stringify(listeners.map(({ frames }) => frames))
    expect(secretsOf(victim).filter((secret) => received.includes(secret))).toEqual([])
    const key = victim.keys.sdkSecretKey
    await given.call('POST', `/v1/users/${victim.names.userId}/sign-out`, { key })
    await until(() => !victimSocket.socket.connected)
    expect(listeners.map(({ socket }) => socket.connected)).toEqual([true, true])
  })
})

async function track({ keys: { sdkSecretKey }, names }: Tenant): Promise<void> {
  const body = { sdkSecretKey, name: names.eventName, userId: names.userId }
  const { status } = await given.call('POST', '/v1/events/track', { key: sdkSecretKey, body })
  if (status !== 202) throw new Error(`track: ${status}`)
}
