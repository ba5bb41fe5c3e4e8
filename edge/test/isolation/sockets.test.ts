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
import { givenNc } from '../support/given-nc.ts'
import { type Keys, type Refused, refusedCredentials } from './credentials.ts'
import { createTenant, secretsOf, type Tenant } from './tenant.ts'

let given: GivenEdge
let victim: Tenant
/** Another user of the same environment, and a user of another environment. */
let others: { neighbour: Tenant; stranger: Tenant }
let refused: Refused[]
const open: Socket[] = []

beforeAll(async () => {
  given = await givenEdge()
  const cli = givenNc(given.settings)
  const organisation = (await cli.json<{ id: string }>('org create --name Elsewhere')).id
  const createEnv = async (name: string): Promise<Keys> => {
    const words = `env create --org ${organisation} --name ${name}`
    const { id, secrets } = await cli.json<{ id: string; secrets: Omit<Keys, 'id'> }>(words)
    return { ...secrets, id }
  }
  const { dev } = given.demo.environments
  victim = await createTenant(given, dev, 'vera')
  const neighbour = await createTenant(given, dev, 'nadja')
  others = { neighbour, stranger: await createTenant(given, await createEnv('away'), 'anton') }
  refused = await refusedCredentials(given, cli, createEnv)
}, 60_000)
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect()
})
afterAll(() => given.stop())

interface Received {
  socket: Socket<ServerToClient, ClientToServer>
  frames: InboxFrame[]
  /** Answer to a refused handshake. */
  refusals: unknown[]
}

function connect({ realtime }: Pick<AuthAnswer, 'realtime'>, auth: Partial<HandshakeAuth>): Received {
  const socket: Received['socket'] = io(realtime.url, {
    path: realtime.path,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth,
  })
  const received: Received = { socket, frames: [], refusals: [] }
  socket.on('inbox', (frame) => received.frames.push(frame))
  socket.on('connect_error', (error) => received.refusals.push('data' in error ? error.data : error.message))
  open.push(socket)
  return received
}

const until = (check: () => boolean) => vi.waitUntil(check, { timeout: 20_000, interval: 10 })
const kinds = ['neighbour', 'stranger'] as const

describe('a handshake', () => {
  test('without a valid session is refused, always with the same answer', async () => {
    const { realtime } = await victim.signIn()
    const tokens = [...refused.map(({ credential }) => credential), victim.keys.sdkSecretKey]
    const received = tokens.map((token) => connect({ realtime }, { token, epoch: victim.names.epoch, since: 0 }))
    await until(() => received.every(({ refusals }) => refusals.length > 0))
    for (const { refusals, frames } of received) {
      expect(refusals).toEqual([expect.objectContaining({ code: 'auth/invalid-session' })])
      expect(frames).toEqual([])
    }
    expect(new Set(received.map(({ refusals }) => Object.keys(refusals[0] as object).join())).size).toBe(1)
  })

  test.each(kinds)("of a %s with the victim's epoch and position gets a reset of its own inbox", async (kind) => {
    const own = await others[kind].signIn()
    const { inbox } = await victim.signIn()
    const received = connect(own, { token: own.sessionToken, epoch: inbox.epoch, since: inbox.seq - 1 })
    const unknown = connect(own, { token: own.sessionToken, epoch: 'nobody-epoch', since: inbox.seq - 1 })
    await until(() => received.frames.length > 0 && unknown.frames.length > 0)
    expect(received.frames[0]).toMatchObject({ epoch: own.inbox.epoch, reset: true, changes: [] })
    expect(received.frames[0]).toEqual(unknown.frames[0])
    // A position beyond the user's own log is also answered with a reset.
    const late = connect(own, { token: own.sessionToken, epoch: own.inbox.epoch, since: own.inbox.seq + 50 })
    await until(() => late.frames.length > 0)
    expect(late.frames[0]).toMatchObject({ epoch: own.inbox.epoch, reset: true, changes: [] })
  })
})

describe('an open socket', () => {
  test.each(kinds)("of a %s is not renewed by the victim's session, and stays with its own user", async (kind) => {
    const other = others[kind]
    const own = await other.signIn()
    const received = connect(own, { token: own.sessionToken, epoch: own.inbox.epoch, since: own.inbox.seq })
    await until(() => received.frames.length > 0)
    const renew = (token: string) =>
      new Promise<RenewAnswer>((resolve) => received.socket.emit('session:renew', { token }, resolve))
    const { sessionToken } = await victim.signIn()
    const foreign = await renew(sessionToken)
    expect(foreign).toEqual({ ok: false, code: 'auth/invalid-session' })
    expect(await renew('nonsense')).toEqual(foreign)
    const sync = await new Promise<InboxChanges>((resolve) => received.socket.emit('sync', { since: 0 }, resolve))
    expect(sync.epoch).toBe(own.inbox.epoch)
    // The socket is still served with its own changes.
    await tell(other)
    await until(() => received.frames.some(({ changes }) => changes.length > 0))
    const said = JSON.stringify([received.frames, sync])
    expect(said).toContain(`${other.mark} title`)
    expect(secretsOf(victim).filter((secret) => said.includes(secret))).toEqual([])
    expect((await renew((await other.signIn()).sessionToken)).ok).toBe(true)
  })

  test("receives nothing of another user's messages, reads and sign-outs", async () => {
    const mine = await victim.signIn()
    const listener = connect(mine, { token: mine.sessionToken, epoch: mine.inbox.epoch, since: mine.inbox.seq })
    const sessions = await Promise.all(kinds.map((kind) => others[kind].signIn()))
    const strangers = sessions.map((own) =>
      connect(own, { token: own.sessionToken, epoch: own.inbox.epoch, since: own.inbox.seq }),
    )
    await until(() => [listener, ...strangers].every(({ frames }) => frames.length > 0))
    await tell(victim)
    await given.call('POST', '/v1/inbox/read-all', { session: mine, body: { seq: 99 } })
    await until(() => listener.frames.flatMap(({ changes }) => changes).length >= 2)
    // Pushes to a user keep their order: a frame of the victim would have arrived before the own one.
    for (const kind of kinds) await tell(others[kind])
    await until(() => strangers.every(({ frames }) => frames.length > 1))
    const said = JSON.stringify(strangers.map(({ frames }) => frames))
    expect(secretsOf(victim).filter((secret) => said.includes(secret))).toEqual([])
    const key = victim.keys.sdkSecretKey
    await given.call('POST', `/v1/users/${victim.names.userId}/sign-out`, { key })
    await until(() => !listener.socket.connected)
    expect(strangers.map(({ socket }) => socket.connected)).toEqual([true, true])
  })
})

async function tell({ keys: { sdkSecretKey }, names }: Tenant): Promise<void> {
  const body = { sdkSecretKey, name: names.eventName, userId: names.userId }
  const { status } = await given.call('POST', '/v1/events/track', { key: sdkSecretKey, body })
  if (status !== 202) throw new Error(`track: ${status}`)
}
