// Socket.IO as this service wants it: WebSocket only, nothing compressed, no request kept (choices section 3, contract section 5).

import { EventEmitter } from 'node:events'
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import { Server } from 'socket.io'
import { LIMITS } from '../../contract/limits.ts'
import { correlationIdOf } from '../lib/correlation.ts'
import { createFrameGuard } from './frame-guard.ts'
import type { Connection, RealtimeServer } from './member.ts'

/** Where the WebSocket is found; the auth answer names it. */
export const REALTIME_PATH = '/v1/realtime'

/** A connection that sends no handshake, or that is refused and stays, is closed after this. */
const HANDSHAKE_MS = 10_000
/** How long a connection that we have closed may take to say goodbye. */
const GOODBYE_MS = 1000

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
  // Plain requests stay with the app: an address that only upgrades is no path of the API.
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

  // Every answer has one, and the answer to a handshake is its 101.
  io.engine.on('initial_headers', (headers: Record<string, string>, { headers: sent }: IncomingMessage) => {
    const id = sent['x-correlation-id']
    headers['X-Correlation-Id'] = correlationIdOf(typeof id === 'string' ? id : undefined)
  })
  const arrivals = new Map<Connection, Arrival>()
  io.engine.on('connection', (connection: Connection) => {
    arrivals.set(connection, arrivalOf(connection.request))
    connection.once('close', () => leave(connection, arrivals))
    // Kilobytes for each socket, of which nothing is needed any more.
    Object.assign(connection, { request: null })
    guardFrames(connection, arrivals, deps)
  })
  return { io, arrivals }
}

function arrivalOf(request: IncomingMessage): Arrival {
  return { origin: request.headers.origin, net: request.socket }
}

/** A close waits for the client's own, 30 s long: whoever does not answer is cut. */
function leave(connection: Connection, arrivals: Map<Connection, Arrival>): void {
  const net = arrivals.get(connection)?.net
  arrivals.delete(connection)
  if (net !== undefined && !net.destroyed) setTimeout(() => net.destroy(), GOODBYE_MS).unref()
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
  // Each ping of the WebSocket itself is answered too, also to a client that reads nothing.
  webSocketOf(connection)?.on('ping', count)
}

/** Its types call it private. */
function webSocketOf({ transport }: Connection): NodeJS.EventEmitter | undefined {
  const socket: unknown = Reflect.get(transport, 'socket')
  return socket instanceof EventEmitter ? socket : undefined
}
