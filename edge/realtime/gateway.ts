// Builds the realtime gateway: sockets of verified sessions, frames of pushes, catch-ups of gaps (docs/architecture.md).

import type { Server as HttpServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '../domain/bus.ts'
import type { WidgetSession } from '../domain/session.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { startRunningTime } from '../lib/running-time.ts'
import type { CatchUpDeps } from './catch-up.ts'
import { createDisconnect, createJoin } from './connection.ts'
import { createFrameStream, createPushPace } from './frame-stream.ts'
import { type HandshakeDeps, toRefusal, verifyHandshake } from './handshake.ts'
import { startHeadBroadcast } from './head-broadcast.ts'
import { type GatewayMetrics, NO_METRICS } from './metrics.ts'
import { createPresence } from './presence.ts'
import { createSendBuffer } from './send-buffer.ts'
import { createSessionWatch } from './session-watch.ts'
import { createSocketServer, type SocketServer } from './socket-server.ts'

export { REALTIME_PATH } from './socket-server.ts'

const SWEEP_MS = 500
const RUNNING_TIME_EVERY_MS = 50
const VALIDITY_MS = 1000
const DRAIN_MS = 500
const LEAST_SLICES = 10
/** Closed in one turn of the loop at most. */
const LARGEST_SLICE = 250
/** Connections whose client does not close them are destroyed after this. */
const CLOSE_MS = 1000

export interface GatewayDeps extends HandshakeDeps, CatchUpDeps {
  /** The gateway takes its upgrades under `REALTIME_PATH`; the caller listens and closes. */
  server: HttpServer
  /** Whether environment, Front API Key and credential of a session are still valid; answered from memory. */
  isSessionValid(session: WidgetSession): Promise<boolean>
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
  /** Refuses new sockets and closes all within half a second, so that clients come back to another node or a later process. */
  close(): Promise<void>
}

export function createGateway(deps: GatewayDeps): Gateway {
  const { inboxes, catchUps, log, bus, verifySession, metrics = NO_METRICS } = deps
  let isClosing = false
  const presence = createPresence()
  const runningTime = startRunningTime(RUNNING_TIME_EVERY_MS)
  const buffer = createSendBuffer(metrics, runningTime.now)
  const disconnect = createDisconnect({ presence, bus, metrics, log })
  const stream = createFrameStream({ inboxes, catchUps, presence, buffer, metrics, onFault: disconnect.onFault })
  const sessions = createSessionWatch({ ...deps, presence, buffer, close: disconnect.close })
  const join = createJoin({ presence, buffer, stream, disconnect, sessions, bus, metrics, log, verifySession })
  const sockets = createSocketServer({
    server: deps.server,
    isClosing: () => isClosing,
    monotonicNow: () => performance.now(),
    onFlood: () => metrics.onCut('flood'),
  })
  verifyHandshakes(deps, sockets, metrics)
  sockets.io.on('connection', (socket) => {
    const arrival = sockets.arrivals.get(socket.conn)
    if (arrival !== undefined) join(socket, arrival)
  })
  const ends = [
    runningTime.stop,
    bus.subscribe('inbox-pushed', createPushPace({ presence, deliver: stream.push })),
    bus.subscribe('sessions-ended', ({ sessionIds }) => sessions.end(sessionIds)),
    every(SWEEP_MS, async () => sessions.sweep()),
    every(VALIDITY_MS, () =>
      sessions.checkValidity().catch((error) => log.error('check of sessions failed', { error })),
    ),
    startHeadBroadcast({ inboxes, presence, buffer, bus, log, everyMs: deps.headsEveryMs }),
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

function verifyHandshakes(deps: GatewayDeps, { io, arrivals }: SocketServer, metrics: GatewayMetrics): void {
  io.use((socket, next) => {
    verifyHandshake(deps, socket.handshake.auth, arrivals.get(socket.conn)?.origin).then(
      (handshake) => {
        socket.data.handshake = handshake
        next()
      },
      (error) => {
        metrics.onRefused()
        next(toRefusal(error))
      },
    )
  })
}

/** Runs periodically, never twice at once; returns the function that stops it. */
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

/** Uses `conn.close()`, never `disconnectSockets(true)`: after that a client does not connect again. */
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
  for (let waitedMs = 0; open.size > 0 && waitedMs < CLOSE_MS; waitedMs += 20) await delay(20)
  for (const net of open) net.destroy()
  io.engine.close()
}
