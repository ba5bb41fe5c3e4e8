// Creates the node HTTP server of the app, with timeouts, header limits and JSON answers to malformed HTTP.

import { createServer, IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { ERRORS, type ErrorCode } from '../../../contract/errors.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { ApiError } from '../../lib/api-error.ts'
import { correlationIdOf } from '../../lib/correlation.ts'
import { answerError, type DefectSinks, type JsonAnswer, reportError, toErrorBody } from '../kernel/answer.ts'
import type { HttpApp } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import type { LoadShedding } from '../limits/load-shedding.ts'
import { type BodyRateClock, enforceBodyRate, extendHeadersTimeout } from './body-timeouts.ts'
import { createFastPath } from './fast-path.ts'
import { createOverloadGuard } from './overload-guard.ts'
import { removeBasePath } from './path-prefix.ts'
import { addLingeringClose } from './shutdown.ts'

const HEADERS_TIMEOUT_MS = 3000
// The largest batch at the slowest allowed rate takes 261 s; `body-timeouts.ts` ends slower bodies long before.
const REQUEST_TIMEOUT_MS = 300_000
const CONNECTIONS_CHECK_MS = 500
// Longer than load balancers usually keep an idle connection, so that the balancer closes it first.
const KEEP_ALIVE_MS = 65_000

const INVALID_HTTP = 'The request is not valid HTTP.'

export interface NodeServerOptions {
  /** Milliseconds that an idle connection is kept. Default: 65 s. */
  keepAliveMs?: number
  /** For tests. */
  bodyRateClock?: BodyRateClock
  /** Without it, no request is rejected under load. */
  loadShedding?: LoadShedding
  /** Routes that are also served without Hono (`fast-path.ts`); needs `loadShedding`. */
  fastRoutes?: Pick<Http, 'fastRoutes' | 'isDraining' | 'isDiskLow'>
  /** Path of WebSocket upgrades; with it, other upgrades are ignored. */
  webSocketPath?: string
  /** The path of PUBLIC_URL, below which all is served as well; empty for none. Needs `webSocketPath`. */
  basePath?: string
}

/** @returns A server that does not listen yet. */
export function createNodeServer(app: HttpApp, sinks: DefectSinks, options: NodeServerOptions = {}): Server {
  const { loadShedding, webSocketPath, basePath = '', keepAliveMs = KEEP_ALIVE_MS } = options
  // The adapter calls `errorHandler` for an invalid target synchronously and without the request, so the id is stored here.
  let sentId: string | undefined
  const adapter = getRequestListener(
    (request, env) =>
      app.fetch(request, loadShedding === undefined ? env : Object.assign(env, { bodyBudget: loadShedding })),
    { errorHandler: (error) => answerError(sinks, fromTargetError(error), correlationIdOf(sentId)) },
  )
  const answer: RequestListener = (request, response) => {
    sentId = sentIdOf(request)
    adapter(request, response)
    sentId = undefined
  }
  const { onRefused } = sinks
  const routed =
    loadShedding === undefined || options.fastRoutes === undefined
      ? answer
      : createFastPath(answer, { ...options.fastRoutes, ...sinks, bodyBudget: loadShedding })
  const served = loadShedding === undefined ? answer : createOverloadGuard(routed, { loadShedding, onRefused })
  const listener: RequestListener = (request, response) => {
    addDefaultHost(request)
    const fault = findHeadFault(request)
    if (fault === undefined) served(request, response)
    else refuse(response, reportError(sinks, fault, correlationIdOf(sentIdOf(request))))
  }
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      keepAliveTimeout: keepAliveMs,
      // Node itself would answer a missing Host without a body and a correlation id.
      requireHostHeader: false,
      ...(webSocketPath === undefined ? {} : { IncomingMessage: createIncomingMessageClass(webSocketPath, basePath) }),
    },
    listener,
  )
  extendHeadersTimeout(server)
  enforceBodyRate(server, options.bodyRateClock)
  const latest = new WeakMap<Duplex, IncomingMessage>()
  addLingeringClose(server, latest)
  server.on('request', (request) => latest.set(request.socket, request))
  server.on('checkExpectation', listener)
  server.on('clientError', (error: ParserError, socket) => {
    if (isUnused(error, socket)) closeUnused(socket, keepAliveMs)
    else answerClientError(error, socket, latest.get(socket), sinks)
  })
  return server
}

/**
 * Ignores upgrades other than a valid WebSocket handshake, so that such requests are answered (RFC 9110 section 7.8). The HTTP client of
 * the JDK offers h2c with each request without TLS. Before node 24 only `upgrade` of the request decides: hence a subclass.
 * @returns A request class for `createServer` whose only upgrade is the WebSocket at `path`, also below `basePath`.
 */
function createIncomingMessageClass(path: string, basePath: string): typeof IncomingMessage {
  class OwnMessage extends IncomingMessage {
    // Not initialised here: the constructor of the base class has set `upgrade` already.
    declare hasUpgrade: boolean

    set upgrade(hasUpgrade: boolean) {
      this.hasUpgrade = hasUpgrade
    }

    get upgrade(): boolean {
      if (!this.hasUpgrade || this.method === 'CONNECT') return this.hasUpgrade
      // A faulty handshake is answered as a request, which refuses it as any other: Engine.IO names no correlation id.
      return isHandshake(this.url ?? '', path) && findHeadFault(this) === undefined
    }
  }
  return basePath === '' ? OwnMessage : belowPath(OwnMessage, basePath)
}

/** Removes the path before anything reads the target: routes, the fast path, and upgrades. */
function belowPath(Message: typeof IncomingMessage, basePath: string): typeof IncomingMessage {
  class Below extends Message {
    declare target: string
  }
  // The constructor of the base class sets the property.
  Object.defineProperty(Below.prototype, 'url', {
    get(this: Below) {
      return this.target
    },
    set(this: Below, target: string) {
      this.target = removeBasePath(target, basePath)
    },
  })
  return Below
}

/** Whether Engine.IO takes the target: its protocol 4 by a WebSocket, not a change of transport. */
function isHandshake(target: string, path: string): boolean {
  const [pathname = '', search] = target.split('?', 2)
  const query = new URLSearchParams(search)
  const isPath = pathname === path || pathname === `${path}/`
  return isPath && query.get('EIO') === '4' && query.get('transport') === 'websocket' && !query.has('sid')
}

/** Adds a Host to HTTP/1.0, which does not require one: load balancers use it for health checks (HAProxy `httpchk`). */
function addDefaultHost({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === '1.0') headers.host ??= 'localhost'
}

/** Finds headers that a proxy may interpret differently: two Host headers, or a transfer coding that node does not decode. */
function findHeadFault({ headers, rawHeaders }: IncomingMessage): ApiError | undefined {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return new ApiError('request/invalid-query', { message: 'The request has more than one Host header.' })
  const coding = headers['transfer-encoding']
  return coding === undefined || coding.toLowerCase() === 'chunked'
    ? undefined
    : new ApiError('request/unknown-transfer-coding')
}

function refuse(response: ServerResponse, { status, headers, body }: JsonAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' })
  response.end(body)
}

function sentIdOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers['x-correlation-id']
  return typeof sent === 'string' ? sent : undefined
}

function fromTargetError(error: unknown): unknown {
  return error instanceof RequestError
    ? new ApiError('request/invalid-query', { message: 'The request line or its Host header is not valid.' })
    : error
}

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'request/headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request/payload-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request/timeout',
}

/** Whether node waited for the head of a connection that was opened ahead, and has sent no byte: no request is slow. */
function isUnused({ code }: NodeJS.ErrnoException, socket: Duplex): socket is Socket {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesRead === 0
}

/** Ends the connection without an answer unless it is used within the time of idle ones. A first byte begins the limits anew. */
function closeUnused(socket: Socket, keepAliveMs: number): void {
  const timer = setTimeout(() => {
    if (socket.bytesRead === 0) socket.destroy()
  }, keepAliveMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Answers a request that node could not parse, and closes the connection. */
function answerClientError(
  error: ParserError,
  socket: Duplex,
  request: IncomingMessage | undefined,
  sinks: DefectSinks,
): void {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE' || !socket.writable) {
    socket.destroy()
    return
  }
  const inBody = request !== undefined && !request.complete
  const known = CODES[error.code ?? '']
  const code = known ?? (inBody ? 'request/invalid-body' : 'request/invalid-query')
  sinks.onRefused(code)
  const correlationId = correlationIdOf(inBody ? sentIdOf(request) : undefined)
  const body = JSON.stringify(
    toErrorBody(new ApiError(code, known === undefined ? { message: INVALID_HTTP } : {}), correlationId),
  )
  // The answer to HEAD has no body, which its client would take for another answer.
  const isHead = !inBody && error.rawPacket?.toString('latin1', 0, HEAD.length) === HEAD
  socket.end(
    `HTTP/1.1 ${ERRORS[code].status} ${STATUS_TEXT[ERRORS[code].status] ?? 'Error'}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `cache-control: no-store\r\nx-correlation-id: ${correlationId}\r\nconnection: close\r\n\r\n${isHead ? '' : body}`,
  )
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}

/** Milliseconds in which the client can read the answer before the half-open connection is destroyed. */
const CLOSE_AFTER_MS = 1000
const HEAD = 'HEAD '
const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
}
