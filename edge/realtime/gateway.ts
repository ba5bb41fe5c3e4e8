// Creates the realtime gateway, which serves WebSockets of verified sessions (docs/architecture.md).

import type { Server as HttpServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Core } from '../domain/core.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import { logFault } from '../lib/log.ts'
import { startRunningTime } from '../lib/running-time.ts'
import { createDisconnect, createJoin } from './connection.ts'
import { createFrameStream, createPushScheduler } from './frame-stream.ts'
import { type HandshakeDeps, toRefusal, verifyHandshake } from './handshake.ts'
import { startHeadBroadcast } from './head-broadcast.ts'
import { type GatewayMetrics, NO_METRICS } from './metrics.ts'
import { startOnlineReport } from './online-report.ts'
import { createPresence } from './presence.ts'
import { createSendBuffer } from './send-buffer.ts'
import { createSessionWatch } from './session-watch.ts'
import { createSocketServer, type SocketServer } from './socket-server.ts'

export { REALTIME_PATH } from './socket-server.ts'

const SWEEP_MS = 500
const RUNNING_TIME_EVERY_MS = 50
const VALIDITY_MS = 1000
/** Time over which a shutdown spreads the closes. */
const DRAIN_MS = 500
const MIN_SLICES = 10
/** Connections closed in one turn of the event loop at most. */
const MAX_SLICE = 250
/** Connections whose client does not close them are destroyed after this. */
const CLOSE_MS = 1000

type Taken = HandshakeDeps &
  Pick<Core, 'inboxes' | 'catchUps' | 'bus' | 'clock' | 'log'> & {
    /** The gateway handles its upgrades at `REALTIME_PATH`; the caller calls `listen` and `close`. */
    server: HttpServer
    /** Whether environment, Front API Key and credential of a session are still valid; answered from memory. */
    isSessionValid(session: WidgetSession): Promise<boolean>
    metrics?: GatewayMetrics
    /** Milliseconds between two broadcasts of all heads. For tests. */
    headsEveryMs?: number
  }

export interface Gateway {
  /** Number of connected sockets. */
  size(): number
  /** Refuses new sockets and closes all others within half a second, so that clients connect to another node. */
  close(): Promise<void>
}

/** Begins to handle upgrades at once. */
export function createGateway(deps: Taken): Gateway {
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
    const details = sockets.connections.get(socket.conn)
    if (details !== undefined) join(socket, details)
  })
  const stops = [
    runningTime.stop,
    bus.subscribe('inbox-pushed', createPushScheduler({ presence, deliver: stream.push })),
    bus.subscribe('sessions-ended', ({ sessionIds }) => sessions.end(sessionIds)),
    every(SWEEP_MS, async () => sessions.sweep()),
    every(VALIDITY_MS, () =>
      sessions.checkValidity().catch((error) => logFault(log, 'session check failed', { error })),
    ),
    startHeadBroadcast({ inboxes, presence, buffer, bus, log, everyMs: deps.headsEveryMs }),
    startOnlineReport({ bus, presence }),
  ]

  return {
    size: presence.size,
    async close() {
      if (isClosing) return
      isClosing = true
      for (const stop of stops) stop()
      await closeAll(sockets)
    },
  }
}

function verifyHandshakes(deps: Taken, { io, connections }: SocketServer, metrics: GatewayMetrics): void {
  io.use((socket, next) => {
    const details = connections.get(socket.conn)
    // The call of `next` lets Socket.IO forget the socket.
    if (details === undefined || details.hasHandshake) {
      if (details?.net.destroyed === false) {
        metrics.onCut('protocol')
        details.net.destroy()
      }
      return next(toRefusal(new ApiError('auth/invalid-session')))
    }
    details.hasHandshake = true
    verifyHandshake(deps, socket.handshake.auth, details.origin).then(
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

/** Runs a function periodically, never twice at the same time. @returns A function that stops it. */
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

/** Closes by `conn.close()`, because after `disconnectSockets(true)` a client does not connect again. */
async function closeAll({ io, connections }: SocketServer): Promise<void> {
  const left = [...connections]
  const slices = Math.max(MIN_SLICES, Math.ceil(left.length / MAX_SLICE))
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
