// The realtime gateway as it runs, for its journeys: real store, sessions, bus, HTTP server and socket.io-client; only the clock is the test's.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { io, type Socket } from 'socket.io-client'
import type { ClientToServer, InboxFrame, ServerToClient } from '../../../contract/frames.ts'
import { isOriginAllowed } from '../../auth/origins.ts'
import { createIsVouched } from '../../auth/vouched.ts'
import type { NewMessage, TrackPlan } from '../../domain/plan.ts'
import { createChangeInbox } from '../../flow/inbox/change-inbox.ts'
import { createRecordDelivery } from '../../flow/inbox/record-delivery.ts'
import { createCommitPlan } from '../../flow/tracking/commit-plan.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { createIdSource } from '../../lib/id.ts'
import { createLog } from '../../lib/log.ts'
import { createGateway, type Gateway, REALTIME_PATH } from '../../realtime/gateway.ts'
import type { CutReason, HealOutcome } from '../../realtime/metrics.ts'
import { givenAuth } from './given-auth.ts'

export type Client = Socket<ServerToClient, ClientToServer>

/** A connected client with all that it heard. */
export interface Listener {
  client: Client
  frames: InboxFrame[]
  expiring: string[]
  /** Reasons of its disconnects. */
  gone: string[]
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
  /** Waited for before and after each read of changes. */
  aroundReads?: () => Promise<void>
}

export async function givenRealtime(options: RealtimeOptions = {}) {
  const auth = await givenAuth()
  const { stores, clock, bus, sessions, keyRing } = auth
  const { environment, values } = await auth.createEnvironment({ allowedOrigins: options.allowedOrigins ?? [] })
  const other = await auth.createEnvironment({ name: 'other' })
  const frontKey = await keyRing.findByFrontKey(values.frontApiKey)
  if (frontKey === undefined) throw new Error('The new environment has a Front API Key.')
  const ids = { event: createIdSource(clock), run: createIdSource(clock), message: createIdSource(clock) }
  const commitPlan = createCommitPlan({ commit: stores.commit, bus, wakeJobs: () => {} })
  const counted = { cuts: [] as CutReason[], heals: [] as HealOutcome[], refused: 0, sockets: 0, frames: 0 }
  const listeners: Listener[] = []

  const readChanges: typeof stores.inboxes.changes = async (...question) => {
    await options.aroundReads?.()
    const answer = await stores.inboxes.changes(...question)
    await options.aroundReads?.()
    return answer
  }

  function openGateway(server: Server): Gateway {
    return createGateway({
      server,
      inboxes: { ...stores.inboxes, changes: readChanges },
      bus,
      clock,
      log: createLog('silent'),
      verifySession: sessions.verify,
      isVouched: createIsVouched(keyRing),
      isOriginAllowed: async (environmentId, origin) =>
        isOriginAllowed((await stores.environments.find(environmentId))?.allowedOrigins ?? [], origin),
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

  const answerPlain = () =>
    createServer((_, response) => {
      response.writeHead(404, { 'x-plain': 'yes' }).end()
    })
  let server = answerPlain()
  let gateway = openGateway(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

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
    const listener: Listener = { client, frames: [], expiring: [], gone: [] }
    client.on('inbox', (frame) => listener.frames.push(frame))
    client.on('session:expiring', ({ expiresAt }) => listener.expiring.push(expiresAt))
    client.on('disconnect', (reason) => listener.gone.push(reason))
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
    changeInbox: createChangeInbox({ commit: stores.commit, inboxes: stores.inboxes, bus, clock }),
    recordDelivery: createRecordDelivery({ commit: stores.commit, inboxes: stores.inboxes, bus, clock }),
    async signIn(userId: string) {
      const user = await stores.users.upsert(environment.id, userId, {}, clock.now())
      const credential = sha256Hex(values.authSecretKey)
      const granted = await sessions.issue({ environment, user, credential, frontKeyId: frontKey.secretId })
      const head = await stores.inboxes.head(user.userNo)
      const owner = { environmentId: environment.id, userNo: user.userNo }
      return { ...granted, user, owner, epoch: head.epoch }
    },
    /** Tracks an event that puts this many messages into the user's inbox; answers their ids. */
    async tell(userId: string, count = 1, wish: Partial<NewMessage> & { bodyChars?: number } = {}): Promise<number[]> {
      const plan = planOf(ids, environment.id, clock.now(), userId, count, wish)
      const outcome = await commitPlan(plan)
      if (outcome.result !== 'written') throw new Error(`Not written: ${outcome.result}`)
      return plan.messages.map((message) => message.id)
    },
    /** The same, but nobody is told: as if the bus had lost it. */
    async tellSilently(userId: string, count = 1): Promise<number[]> {
      const plan = planOf(ids, environment.id, clock.now(), userId, count, {})
      await stores.commit.track(plan)
      return plan.messages.map((message) => message.id)
    },
    /** Drains and stops the server, then starts another on the same port. */
    async restart() {
      await gateway.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      server = answerPlain()
      gateway = openGateway(server)
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
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

type Ids = Record<'event' | 'run' | 'message', { next(): number }>

function planOf(
  ids: Ids,
  environmentId: number,
  now: number,
  userId: string,
  count: number,
  { bodyChars = 0, ...wish }: Partial<NewMessage> & { bodyChars?: number },
): TrackPlan {
  const eventId = ids.event.next()
  const run = {
    id: ids.run.next(),
    eventId,
    campaignId: 1,
    version: 1,
    branch: null,
    userId,
    state: 'completed' as const,
    stateReason: null,
    isTest: false,
    correlationId: 'c-1',
    startedAt: now,
    endedAt: now,
    trace: '[]',
  }
  const message = (): NewMessage => ({
    id: ids.message.next(),
    runId: run.id,
    eventId,
    campaignId: 1,
    version: 1,
    branch: null,
    stepId: 'tell',
    userId,
    channel: 'inbox',
    status: 'delivered',
    statusReason: null,
    correlationId: 'c-1',
    category: null,
    entity: null,
    collapseKey: null,
    snapshot: JSON.stringify({ ...CONTENT, body: 'x'.repeat(bodyChars) }),
    createdAt: now,
    expiresAt: null,
    isTest: false,
    ...wish,
  })
  return {
    kind: 'track',
    environmentId,
    secretId: null,
    now,
    event: {
      id: eventId,
      environmentId,
      correlationId: 'c-1',
      name: 'order.shipped',
      userId,
      userIds: null,
      topic: null,
      properties: '{}',
      source: 'api',
      occurredAt: now,
      receivedAt: now,
      outcome: 'matched',
      considered: null,
    },
    idempotency: null,
    profile: null,
    runs: [run],
    messages: Array.from({ length: count }, message),
    jobs: [],
    completes: null,
  }
}

const CONTENT = {
  title: 'Hello',
  bodyFormat: 'text',
  link: null,
  actions: [],
  category: null,
  entity: null,
  icon: null,
  imageUrl: null,
  priority: 'normal',
  data: {},
}
