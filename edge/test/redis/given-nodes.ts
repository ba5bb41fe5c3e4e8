// Starts two nodes on one store and one Redis that the test may kill, with real gateways and clients.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { io } from 'socket.io-client'
import type { InboxFrame } from '../../../contract/frames.ts'
import { createKeyRing } from '../../auth/key-ring.ts'
import { deriveSessionKey } from '../../auth/master-key.ts'
import { newSecretValue } from '../../auth/new-secret.ts'
import { createIsSessionValid } from '../../auth/session-validity.ts'
import { createWidgetSessions } from '../../auth/widget-session.ts'
import { createRedisBus } from '../../bus/redis.ts'
import { createCommitPlan } from '../../flow/commit.ts'
import { createRelayNotices } from '../../flow/tenant/relay-notices.ts'
import { createRotateSecret } from '../../flow/tenant/rotate-secret.ts'
import { createSchedule } from '../../jobs/schedule.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { createIdSource } from '../../lib/id.ts'
import { createLog } from '../../lib/log.ts'
import { createGateway, REALTIME_PATH } from '../../realtime/gateway.ts'
import { type GivenAuth, givenAuth, LIFETIME_MS } from '../support/given-auth.ts'
import type { Client } from '../support/given-realtime.ts'
import { planOf } from '../support/track-plan.ts'
import { runningNow } from '../support/within.ts'

export type GivenNodes = Awaited<ReturnType<typeof givenNodes>>

/** Less than a wait for Redis: a silent one counts as lost after three missed heartbeats of half a second. */
export const WITHOUT_REDIS_MS = 1000

/** A client that follows `seq`: it applies frames and calls `sync` after a gap. */
export interface Follower {
  client: Client
  frames: InboxFrame[]
  /** The last seq that it knows from frames and from `sync`. */
  seq(): number
}

/** Starts the nodes `a` and `b`. `close` stops them, not Redis. */
export async function givenNodes(redisUrl: string) {
  const auth = await givenAuth()
  const startedAt = auth.clock.at
  // A running clock, because key checks need it.
  auth.clock.now = () => Math.round(startedAt + performance.now())
  const { environment, values } = await auth.createEnvironment()
  const frontKey = await auth.keyRing.findByFrontKey(values.frontApiKey)
  if (frontKey === undefined) throw new Error('The new environment has a Front API Key.')
  const ids = {
    event: createIdSource(auth.clock),
    run: createIdSource(auth.clock),
    message: createIdSource(auth.clock),
  }
  const nodes = await Promise.all(['a', 'b'].map((nodeId) => openNode(auth, redisUrl, nodeId)))
  const [a, b] = nodes as [Node, Node]
  const clients: Client[] = []

  return {
    ...auth,
    a,
    b,
    environment,
    values,
    frontKeyId: frontKey.secretId,
    async signIn(userId: string) {
      const user = await auth.stores.users.upsert(environment.id, userId, {}, auth.clock.now())
      const credential = sha256Hex(values.authSecretKey)
      const grant = { environment, user, credential, frontKeyId: frontKey.secretId }
      const granted = await a.sessions.issue(grant)
      return { ...granted, user, epoch: (await auth.stores.inboxes.head(user)).epoch }
    },
    /** Adds a message by a commit at node `a`. @returns the time until the acknowledgement (ms that this process ran) */
    async addMessage(userId: string): Promise<number> {
      const startedMs = runningNow()
      const outcome = await a.commitPlan(planOf(ids, environment.id, auth.clock.now(), userId, 1, {}))
      if (outcome.result !== 'written') throw new Error(`Not written: ${outcome.result}`)
      return runningNow() - startedMs
    },
    follow(node: Node, token: string, epoch: string): Follower {
      const follower = followInbox(node.port, { token, epoch, since: 0 })
      clients.push(follower.client)
      return follower
    },
    async close() {
      for (const client of clients) client.disconnect()
      await Promise.all(nodes.map((node) => node.close()))
      await auth.close()
    },
  }
}

export type Node = Awaited<ReturnType<typeof openNode>>

async function openNode({ stores, clock, sealer, ids }: GivenAuth, url: string, nodeId: string) {
  const log = createLog('silent')
  const bus = createRedisBus({ url, nodeId, realm: stores.epoch, log })
  const keyRing = createKeyRing({ ...stores, open: sealer.open, clock, bus })
  const relay = createRelayNotices({ notices: stores.notices, bus, monotonicNow: () => performance.now() })
  const isSessionValid = createIsSessionValid(keyRing, clock, stores.sessions.isStored)
  const sessions = createWidgetSessions({
    sessions: stores.sessions,
    clock,
    bus,
    sessionKey: deriveSessionKey([new Uint8Array(32).fill(7)]),
    lifetimeMs: LIFETIME_MS,
    region: 'eu',
    ids,
    isSessionValid,
    confirmEndings: relay.confirm,
  })
  await relay.turn()
  await sessions.load()
  const schedule = createSchedule({ tasks: [{ name: 'relay-notices', everyMs: 250, run: relay.turn }], log })
  schedule.start()
  const server = createServer()
  const gateway = createGateway({
    server,
    inboxes: stores.inboxes,
    catchUps: stores.catchUps,
    bus,
    clock,
    log,
    verifySession: sessions.verify,
    isSessionValid,
    isOriginAllowed: async () => true,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    bus,
    keyRing,
    sessions,
    gateway,
    port: (server.address() as AddressInfo).port,
    commitPlan: createCommitPlan({ ...stores, bus, pollJobs: () => {}, scheduleTimers: () => {} }),
    rotate: createRotateSecret({
      ...stores,
      bus,
      clock,
      ids,
      newSecretValue,
      seal: sealer.seal,
      region: 'eu',
    }),
    async close() {
      await gateway.close()
      await schedule.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await bus.close()
    },
  }
}

function followInbox(port: number, auth: { token: string; epoch: string; since: number }): Follower {
  let seq = 0
  const frames: InboxFrame[] = []
  const client: Client = io(`http://127.0.0.1:${port}`, {
    path: REALTIME_PATH,
    transports: ['websocket'],
    auth: (callback: (fields: object) => void) => callback({ ...auth, since: seq }),
    forceNew: true,
    reconnectionDelay: 20,
    reconnectionDelayMax: 100,
  })
  client.on('inbox', (frame) => {
    frames.push(frame)
    if (frame.from <= seq) seq = Math.max(seq, frame.seq)
    else if (frame.seq > seq) {
      const onAnswer = (answer: { seq: number }): void => {
        seq = Math.max(seq, answer.seq)
      }
      // Socket.IO rejects when the connection ends first; the next connection sends `since` again.
      client.emitWithAck('sync', { since: seq }).then(onAnswer, () => {})
    }
  })
  return { client, frames, seq: () => seq }
}
