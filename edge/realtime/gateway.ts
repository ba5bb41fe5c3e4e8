// The realtime gateway: sessions to sockets, pushes to frames, gaps to catch-ups (contract section 5, "Realtime").

import type { Server as HttpServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '../domain/bus.ts'
import type { WidgetSession } from '../domain/session.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { startRunningTime } from '../lib/running-time.ts'
import { type AdmissionDeps, admit, toRefusal } from './admission.ts'
import type { CatchUpReaderDeps } from './catch-up-reader.ts'
import { createJoin } from './connection.ts'
import { createDelivery } from './delivery.ts'
import { createDeparture } from './departure.ts'
import { startHeads } from './heads.ts'
import { type GatewayMetrics, NO_METRICS } from './metrics.ts'
import { createOutbox } from './outbox.ts'
import { createPresence } from './presence.ts'
import { createPushPace } from './push-pace.ts'
import { createSessionWatch } from './session-watch.ts'
import { createSocketServer, type SocketServer } from './socket-server.ts'

export { REALTIME_PATH } from './socket-server.ts'

const SWEEP_MS = 500
const LOOK_EVERY_MS = 50
const VOUCHED_MS = 1000
const DRAIN_MS = 500
const LEAST_SLICES = 10
/** More closed in one turn of the loop would hold up others. */
const LARGEST_SLICE = 250
/** Connections that do not say goodbye are cut after this. */
const GOODBYE_MS = 1000

export interface GatewayDeps extends AdmissionDeps, CatchUpReaderDeps {
  /** Its upgrades under `REALTIME_PATH` are taken; listening and closing stay with the caller. */
  server: HttpServer
  /** Whether environment, Front API Key and credential of a session still stand; asked from memory. */
  isVouched(session: WidgetSession): Promise<boolean>
  bus: Pick<Bus, 'subscribe' | 'follow' | 'unfollow' | 'isUp'>
  clock: Clock
  log: Log
  metrics?: GatewayMetrics
  /** For tests. */
  headsEveryMs?: number
}

export interface Gateway {
  /** Sockets that are connected now. */
  size(): number
  /** Takes no more, and closes all over half a second so that they come back elsewhere, or here. */
  close(): Promise<void>
}

export function createGateway(deps: GatewayDeps): Gateway {
  const { inboxes, catchUps, log, bus, verifySession, metrics = NO_METRICS } = deps
  let isClosing = false
  const presence = createPresence()
  const runningTime = startRunningTime(LOOK_EVERY_MS)
  const outbox = createOutbox(metrics, runningTime.now)
  const departure = createDeparture({ presence, bus, metrics, log })
  const delivery = createDelivery({ inboxes, catchUps, presence, outbox, metrics, onFault: departure.onFault })
  const sessions = createSessionWatch({ ...deps, presence, outbox, close: departure.close })
  const join = createJoin({ presence, outbox, delivery, departure, sessions, bus, metrics, log, verifySession })
  const sockets = createSocketServer({
    server: deps.server,
    isClosing: () => isClosing,
    monotonicNow: () => performance.now(),
    onFlood: () => metrics.onCut('flood'),
  })
  admitBy(deps, sockets, metrics)
  sockets.io.on('connection', (socket) => {
    const arrival = sockets.arrivals.get(socket.conn)
    if (arrival !== undefined) join(socket, arrival)
  })
  const ends = [
    runningTime.stop,
    bus.subscribe('inbox-pushed', createPushPace({ presence, deliver: delivery.push })),
    bus.subscribe('sessions-ended', ({ sessionIds }) => sessions.end(sessionIds)),
    every(SWEEP_MS, async () => sessions.sweep()),
    every(VOUCHED_MS, () =>
      sessions.checkVouched().catch((error) => log.error('Sessions could not be checked.', { error })),
    ),
    startHeads({ inboxes, presence, outbox, bus, log, everyMs: deps.headsEveryMs }),
  ]

  return {
    size: presence.size,
    async close() {
      if (isClosing) return
      isClosing = true
      for (const end of ends) end()
      await closeAll(sockets)
    },
  }
}

function admitBy(deps: GatewayDeps, { io, arrivals }: SocketServer, metrics: GatewayMetrics): void {
  io.use((socket, next) => {
    admit(deps, socket.handshake.auth, arrivals.get(socket.conn)?.origin).then(
      (admission) => {
        socket.data.admission = admission
        next()
      },
      (error) => {
        metrics.onRefused()
        next(toRefusal(error))
      },
    )
  })
}

/** Runs one after another; answers the function that stops it. */
function every(periodMs: number, run: () => Promise<void>): () => void {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    run().finally(() => {
      isRunning = false
    })
  }, periodMs)
  return () => clearInterval(timer)
}

/** `conn.close()` and never `disconnectSockets(true)`: after that a client would not come back. */
async function closeAll({ io, arrivals }: SocketServer): Promise<void> {
  const left = [...arrivals]
  const slices = Math.max(LEAST_SLICES, Math.ceil(left.length / LARGEST_SLICE))
  const share = Math.ceil(left.length / slices)
  const open = new Set(left.map(([, { net }]) => net).filter((net) => !net.destroyed))
  for (const net of open) net.once('close', () => open.delete(net))
  while (left.length > 0) {
    for (const [connection] of left.splice(0, share)) connection.close()
    if (left.length > 0) await delay(DRAIN_MS / slices)
  }
  for (let waitedMs = 0; open.size > 0 && waitedMs < GOODBYE_MS; waitedMs += 20) await delay(20)
  for (const net of open) net.destroy()
  io.engine.close()
}
