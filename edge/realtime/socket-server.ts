// Configures Socket.IO: WebSocket only, nothing compressed, no request kept; and limits the frames of a client.

import { EventEmitter } from 'node:events'
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import { Server } from 'socket.io'
import { LIMITS } from '../../contract/limits.ts'
import { correlationIdOf } from '../lib/correlation.ts'
import type { Connection, RealtimeServer } from './presence.ts'

/** Where the WebSocket is found; the auth answer names it. */
export const REALTIME_PATH = '/v1/realtime'

/** A connection that sends no handshake, or that is refused and stays, is closed after this. */
const HANDSHAKE_MS = 10_000
/** A connection that this side closed is destroyed after this when the client does not close it too. */
const CLOSE_MS = 1000

/** What is known of a connection before and beside its socket. */
export interface Arrival {
  origin: string | undefined
  net: NetSocket
}

export interface SocketServer {
  io: RealtimeServer
  /** All connections, admitted or not. */
  arrivals: ReadonlyMap<Connection, Arrival>
}

export interface SocketServerDeps {
  server: HttpServer
  /** While true no new connection is taken. */
  isClosing(): boolean
  /** Milliseconds of a clock that never steps back. */
  monotonicNow(): number
  onFlood(): void
}

export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const { server } = deps
  // Plain requests stay with the app: the path of the WebSocket is no path of the API.
  const listeners = server.listeners('request') as ((...args: unknown[]) => void)[]
  const io: RealtimeServer = new Server(server, {
    path: REALTIME_PATH,
    addTrailingSlash: false,
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: LIMITS.socketFrameBytes,
    connectTimeout: HANDSHAKE_MS,
    allowRequest: (_request, answer) => answer(null, !deps.isClosing()),
  })
  server.removeAllListeners('request')
  for (const listener of listeners) server.on('request', listener)

  // The answer to a handshake is its 101; it has a correlation id like every answer.
  io.engine.on('initial_headers', (headers: Record<string, string>, { headers: sent }: IncomingMessage) => {
    const id = sent['x-correlation-id']
    headers['X-Correlation-Id'] = correlationIdOf(typeof id === 'string' ? id : undefined)
  })
  const arrivals = new Map<Connection, Arrival>()
  io.engine.on('connection', (connection: Connection) => {
    arrivals.set(connection, arrivalOf(connection.request))
    connection.once('close', () => leave(connection, arrivals))
    // The request is kilobytes per socket, and nothing reads it any more.
    Object.assign(connection, { request: null })
    guardFrames(connection, arrivals, deps)
  })
  return { io, arrivals }
}

function arrivalOf(request: IncomingMessage): Arrival {
  return { origin: request.headers.origin, net: request.socket }
}

/** Engine.IO waits 30 s for the client's own close: a connection that does not answer is destroyed. */
function leave(connection: Connection, arrivals: Map<Connection, Arrival>): void {
  const net = arrivals.get(connection)?.net
  arrivals.delete(connection)
  if (net !== undefined && !net.destroyed) setTimeout(() => net.destroy(), CLOSE_MS).unref()
}

function guardFrames(connection: Connection, arrivals: Map<Connection, Arrival>, deps: SocketServerDeps): void {
  const isWithinLimit = createFrameGuard()
  const count = () => {
    if (isWithinLimit(deps.monotonicNow())) return
    const net = arrivals.get(connection)?.net
    if (net === undefined || net.destroyed) return
    deps.onFlood()
    net.destroy()
  }
  connection.on('packet', count)
  // A ping of the WebSocket itself is answered, also to a client that reads nothing: it counts too.
  webSocketOf(connection)?.on('ping', count)
}

/** Its types call it private. */
function webSocketOf({ transport }: Connection): NodeJS.EventEmitter | undefined {
  const socket: unknown = Reflect.get(transport, 'socket')
  return socket instanceof EventEmitter ? socket : undefined
}

const FRAME_WINDOW_MS = 1000

/** @returns whether one more frame at `nowMs` (a clock that never steps back) is within the limit */
export type FrameGuard = (nowMs: number) => boolean

/** Counts frames in a sliding second. The first frame of a connection, its handshake, is free. */
export function createFrameGuard(): FrameGuard {
  // A ring of the latest instants; created when needed, because most sockets are idle.
  let instants: number[] | undefined
  let next = 0
  return (nowMs) => {
    if (instants === undefined) {
      instants = []
      return true
    }
    const oldest = instants[next]
    instants[next] = nowMs
    next = (next + 1) % LIMITS.socketFramesPerSecond
    return oldest === undefined || nowMs - oldest >= FRAME_WINDOW_MS
  }
}
