// Configures Socket.IO (WebSocket only, no compression, no stored request) and limits the frames of a client.

import { EventEmitter } from 'node:events'
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import { Server } from 'socket.io'
import { LIMITS } from '../../contract/limits.ts'
import { correlationIdOf } from '../lib/correlation.ts'
import type { Connection, RealtimeServer } from './presence.ts'

/** Path of the WebSocket; the answer of a sign-in contains it. */
export const REALTIME_PATH = '/v1/realtime'

/** A connection without a successful handshake is closed after this time. */
const HANDSHAKE_MS = 10_000
/** A closed connection is destroyed after this time if the client has not closed it as well. */
const CLOSE_MS = 1000

/** Details of a connection that its Socket.IO socket does not have. */
export interface ConnectionDetails {
  origin: string | undefined
  net: NetSocket
  /** Whether a handshake was begun. The widget sends one for each WebSocket, so another one ends the connection. */
  hasHandshake: boolean
}

export interface SocketServer {
  io: RealtimeServer
  /** All connections, also those without a successful handshake. */
  connections: ReadonlyMap<Connection, ConnectionDetails>
}

export interface SocketServerDeps {
  server: HttpServer
  /** While true, new connections are refused. */
  isClosing(): boolean
  /** Milliseconds of a clock that never steps back. */
  monotonicNow(): number
  /** Called when a client sends too many frames; its connection is destroyed. */
  onFlood(): void
}

/** Attaches Socket.IO to the server. */
export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const { server } = deps
  // Plain requests go to the app only, because the path of the WebSocket is no path of the API.
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

  // The 101 response has a correlation id, as every answer has.
  io.engine.on('initial_headers', (headers: Record<string, string>, { headers: sent }: IncomingMessage) => {
    const id = sent['x-correlation-id']
    headers['X-Correlation-Id'] = correlationIdOf(typeof id === 'string' ? id : undefined)
  })
  const connections = new Map<Connection, ConnectionDetails>()
  io.engine.on('connection', (connection: Connection) => {
    connections.set(connection, detailsOf(connection.request))
    connection.once('close', () => remove(connection, connections))
    // Frees the request: kilobytes per socket, and nothing reads it again.
    Object.assign(connection, { request: null })
    limitFrames(connection, connections, deps)
  })
  return { io, connections }
}

function detailsOf(request: IncomingMessage): ConnectionDetails {
  return { origin: request.headers.origin, net: request.socket, hasHandshake: false }
}

/** Destroys the connection after `CLOSE_MS`, because Engine.IO waits 30 s for the client to close it. */
function remove(connection: Connection, connections: Map<Connection, ConnectionDetails>): void {
  const net = connections.get(connection)?.net
  connections.delete(connection)
  if (net !== undefined && !net.destroyed) setTimeout(() => net.destroy(), CLOSE_MS).unref()
}

function limitFrames(
  connection: Connection,
  connections: ReadonlyMap<Connection, ConnectionDetails>,
  deps: SocketServerDeps,
): void {
  const isWithinLimit = createFrameGuard()
  const count = () => {
    if (isWithinLimit(deps.monotonicNow())) return
    const net = connections.get(connection)?.net
    if (net === undefined || net.destroyed) return
    deps.onFlood()
    net.destroy()
  }
  connection.on('packet', count)
  // Counts pings of the WebSocket protocol as well, because each is answered even if the client does not read.
  webSocketOf(connection)?.on('ping', count)
}

/** Reads the WebSocket, which the types of Engine.IO declare as private. */
function webSocketOf({ transport }: Connection): NodeJS.EventEmitter | undefined {
  const socket: unknown = Reflect.get(transport, 'socket')
  return socket instanceof EventEmitter ? socket : undefined
}

const FRAME_WINDOW_MS = 1000

/** @returns Whether one more frame at `nowMs` (of a clock that never steps back) is within the limit. */
export type FrameGuard = (nowMs: number) => boolean

/** Counts frames in a sliding window of a second. The first frame of a connection, its handshake, does not count. */
export function createFrameGuard(): FrameGuard {
  // Ring buffer of the latest instants. Created when needed, because most sockets are idle.
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
