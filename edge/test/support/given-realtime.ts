// Sets up inbox journeys: real store, sessions, bus, inbox routes, gateway and socket.io-client with a test clock.

import { once } from 'node:events'
import type { Server } from 'node:http'
import { io, type Socket } from 'socket.io-client'
import { vi } from 'vitest'
import type { ClientToServer, InboxFrame, ServerToClient } from '../../../contract/frames.ts'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { createResolveKey } from '../../auth/key-ring.ts'
import { isOriginAllowed } from '../../auth/origins.ts'
import { createIsSessionValid } from '../../auth/session-validity.ts'
import { createCommitPlan } from '../../flow/commit.ts'
import { createChangeInbox } from '../../flow/inbox/change-inbox.ts'
import { createExpireMessages } from '../../flow/inbox/expire-messages.ts'
import { createMarkRead } from '../../flow/inbox/mark-read.ts'
import { createReadInbox } from '../../flow/inbox/read-inbox.ts'
import { createRecordDelivery } from '../../flow/inbox/record-delivery.ts'
import { createCallers } from '../../http/kernel/callers.ts'
import { createHttp } from '../../http/kernel/http.ts'
import { createNodeServer } from '../../http/node/node-server.ts'
import { addEventRegisterRoute } from '../../http/routes/event-register.ts'
import { addInboxActionRoutes } from '../../http/routes/inbox-actions.ts'
import { addInboxChangesRoute } from '../../http/routes/inbox-changes.ts'
import { addInboxMessageRoutes } from '../../http/routes/inbox-messages.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { createIdSource } from '../../lib/id.ts'
import { createLog } from '../../lib/log.ts'
import { createGateway, type Gateway, REALTIME_PATH } from '../../realtime/gateway.ts'
import type { CutReason, HealOutcome } from '../../realtime/metrics.ts'
import { givenAuth } from './given-auth.ts'
import { type MessageFields, planOf } from './track-plan.ts'

const refuse = () => Promise.reject(new Error('link of a mail that was not sent'))
/** No mails are sent here, so that no token is ours. */
const NO_LINKS = {
  linkTokens: { read: () => undefined },
  followLinks: {
    opened: refuse,
    clicked: refuse,
    findSubscription: refuse,
    changeSubscription: refuse,
    listSubscriptions: refuse,
    changeOne: refuse,
  },
}

export type Client = Socket<ServerToClient, ClientToServer>

/** A connected client with all received frames. */
export interface Listener {
  client: Client
  frames: InboxFrame[]
  expiring: string[]
  /** Reasons of its disconnects. */
  disconnects: string[]
}

export interface Handshake {
  token?: unknown
  since?: unknown
  epoch?: unknown
}

export type GivenRealtime = Awaited<ReturnType<typeof givenRealtime>>

export interface RealtimeOptions {
  headsEveryMs?: number
  allowedOrigins?: string[]
  /** Awaited before and after each read of inbox positions and missed changes. */
  aroundReads?: () => Promise<void>
}

/** Starts the server on a free port. `close` stops it and removes everything. */
export async function givenRealtime(options: RealtimeOptions = {}) {
  const auth = await givenAuth()
  const { stores, clock, bus, sessions, keyRing } = auth
  const { environment, values } = await auth.createEnvironment({ allowedOrigins: options.allowedOrigins ?? [] })
  const other = await auth.createEnvironment({ name: 'other' })
  const frontKey = await keyRing.findByFrontKey(values.frontApiKey)
  if (frontKey === undefined) throw new Error('The new environment has a Front API Key.')
  const ids = { event: createIdSource(clock), run: createIdSource(clock), message: createIdSource(clock) }
  const commitPlan = createCommitPlan({ ...stores, bus, pollJobs: () => {}, scheduleTimers: () => {} })
  const counted = {
    cuts: [] as CutReason[],
    heals: [] as HealOutcome[],
    refused: 0,
    sockets: 0,
    frames: 0,
    defects: [] as unknown[],
  }
  const { inboxes } = stores
  const readInbox = createReadInbox({ inboxes, clock })
  const changeInbox = createChangeInbox({ commitPlan, inboxes, clock })
  const recordDelivery = createRecordDelivery({ commitPlan, inboxes, clock })
  const listeners: Listener[] = []

  /** Wraps a read of the gateway with the hook of the test. */
  const withHook =
    <Args extends unknown[], Answer>(read: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      await options.aroundReads?.()
      const answer = await read(...args)
      await options.aroundReads?.()
      return answer
    }

  function openGateway(server: Server): Gateway {
    return createGateway({
      server,
      inboxes: { ...stores.inboxes, heads: withHook(stores.inboxes.heads) },
      catchUps: { missed: withHook(stores.catchUps.missed) },
      bus,
      clock,
      log: createLog('silent'),
      verifySession: sessions.verify,
      isSessionValid: createIsSessionValid(keyRing, clock, stores.sessions.isStored),
      isOriginAllowed: async (environmentId, origin) =>
        isOriginAllowed((await keyRing.findEnvironment(environmentId))?.allowedOrigins ?? [], origin),
      metrics: {
        onSockets: (count) => {
          counted.sockets = count
        },
        onFrame: () => {
          counted.frames++
        },
        onHeal: (outcome) => void counted.heals.push(outcome),
        onCut: (reason) => void counted.cuts.push(reason),
        onRefused: () => {
          counted.refused++
        },
      },
      ...(options.headsEveryMs === undefined ? {} : { headsEveryMs: options.headsEveryMs }),
    })
  }

  const openServer = () => {
    const http = createHttp({
      callers: createCallers({
        resolveKey: createResolveKey({ findBySdkKey: keyRing.findBySdkKey, regions: { own: 'eu', hosts: {} } }),
        verifySession: sessions.verify,
      }),
      isDraining: () => false,
      onRefused: () => {},
      onDefect: (error) => void counted.defects.push(error),
    })
    addInboxMessageRoutes(http, { readInbox, changeInbox, clock })
    addInboxChangesRoute(http, { readInbox })
    addInboxActionRoutes(http, { changeInbox })
    addEventRegisterRoute(http, { recordDelivery, ...NO_LINKS })
    return createNodeServer(http.app, http)
  }
  let server = openServer()
  let gateway = openGateway(server)
  const port = await findFreePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  function connect(auth: Handshake, extra: Record<string, unknown> = {}): Listener {
    const client: Client = io(`http://127.0.0.1:${port}`, {
      path: REALTIME_PATH,
      transports: ['websocket'],
      auth,
      forceNew: true,
      reconnectionDelay: 20,
      reconnectionDelayMax: 60,
      ...extra,
    })
    const listener: Listener = { client, frames: [], expiring: [], disconnects: [] }
    client.on('inbox', (frame) => listener.frames.push(frame))
    client.on('session:expiring', ({ expiresAt }) => listener.expiring.push(expiresAt))
    client.on('disconnect', (reason) => listener.disconnects.push(reason))
    listeners.push(listener)
    return listener
  }

  return {
    ...auth,
    environment,
    values,
    other,
    port,
    counted,
    connect,
    get gateway() {
      return gateway
    },
    commitPlan,
    changeInbox,
    recordDelivery,
    markRead: createMarkRead({ commitPlan, inboxes, users: stores.users, clock }),
    expireMessages: createExpireMessages({ commitPlan, inboxes, clock }),
    /** Sends an HTTP call of a widget session. @returns status, headers and parsed body */
    async call(method: string, path: string, token?: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
    },
    async signIn(userId: string) {
      const user = await stores.users.upsert(environment.id, userId, {}, clock.now())
      const credential = sha256Hex(values.authSecretKey)
      const granted = await sessions.issue({ environment, user, credential, frontKeyId: frontKey.secretId })
      const head = await stores.inboxes.head(user)
      const owner = { environmentId: environment.id, userNo: user.userNo }
      return { ...granted, user, owner, epoch: head.epoch }
    },
    /** Tracks an event that adds this many messages to the user's inbox. @returns their ids */
    async addMessages(userId: string, count = 1, fields: MessageFields = {}): Promise<number[]> {
      const plan = planOf(ids, environment.id, clock.now(), userId, count, fields)
      const outcome = await commitPlan(plan)
      if (outcome.result !== 'written') throw new Error(`Not written: ${outcome.result}`)
      return plan.messages.map((message) => message.id)
    },
    /** Adds messages without publishing them, as if the bus had lost the notice. @returns their ids */
    async addMessagesUnpublished(userId: string, count = 1): Promise<number[]> {
      const plan = planOf(ids, environment.id, clock.now(), userId, count, {})
      await stores.commit.track(plan)
      return plan.messages.map((message) => message.id)
    },
    /** Drains and stops the server, then starts another on the same port. */
    async restart() {
      await gateway.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      server = openServer()
      gateway = openGateway(server)
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    /** Disconnects all clients, waits until the gateway has no socket, and counts from zero: for the next case of a file. */
    async clear() {
      for (const { client } of listeners.splice(0)) client.disconnect()
      const isEmpty = () => {
        if (gateway.size() > 0) throw new Error(`${gateway.size()} sockets are left.`)
      }
      await vi.waitFor(isEmpty, { timeout: 60_000, interval: 5 })
      Object.assign(counted, { cuts: [], heals: [], refused: 0, frames: 0 })
    },
    async close() {
      for (const { client } of listeners) client.disconnect()
      await gateway.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await auth.close()
    },
  }
}
