// The node server under the app: time-outs, header limits, and JSON answers where HTTP itself is broken (contract section 1).

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { ERRORS, type ErrorCode } from '../../../contract/errors.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { ApiError } from '../../lib/api-error.ts'
import { correlationIdOf } from '../../lib/correlation.ts'
import { answerError, type DefectSinks, toErrorBody } from '../answer.ts'
import type { HttpApp } from '../context.ts'
import type { Http } from '../http.ts'
import type { Admission } from '../limits/admission.ts'
import { createDoor } from './door.ts'
import { lingerWithUnreadBodies } from './linger.ts'
import { incomingWithWebSocketsAt } from './offers.ts'
import { countRunningTime } from './patient-headers.ts'
import { createShortWay } from './short-way.ts'
import { cutSlowBodies, type Pace } from './slow-bodies.ts'

const HEADERS_TIMEOUT_MS = 3000
// The largest batch at the slowest legal pace takes 261 s; slow bodies are cut by `slow-bodies.ts` long before.
const REQUEST_TIMEOUT_MS = 300_000
const CONNECTIONS_CHECK_MS = 500
// Longer than the usual balancer keeps an idle connection, so that it is never the one surprised.
const KEEP_ALIVE_MS = 65_000

const BROKEN = 'The request is not valid HTTP.'

export interface NodeServerOptions {
  /** For tests. */
  pace?: Pace
  /** Without it all is let in. */
  admission?: Admission
  /** What is also served without Hono (`short-way.ts`); asks for `admission`. */
  short?: Pick<Http, 'short' | 'isDraining' | 'isDiskLow'>
  /** Where upgrades are taken; with it all others are passed over (`offers.ts`). */
  webSocketPath?: string
}

/** A server for the app; the caller listens and closes. */
export function createNodeServer(app: HttpApp, sinks: DefectSinks, options: NodeServerOptions = {}): Server {
  const { admission, webSocketPath } = options
  // A target that cannot be read is told to `errorHandler`, without its request, before the adapter comes back from the call.
  let sentId: string | undefined
  const adapter = getRequestListener(
    (request, env) => app.fetch(request, admission === undefined ? env : Object.assign(env, { room: admission })),
    { errorHandler: (error) => answerError(sinks, brokenTarget(error), correlationIdOf(sentId)) },
  )
  const answer: RequestListener = (request, response) => {
    sentId = sentIdOf(request)
    adapter(request, response)
    sentId = undefined
  }
  const { onRefused } = sinks
  const inside =
    admission === undefined || options.short === undefined
      ? answer
      : createShortWay(answer, { ...options.short, ...sinks, room: admission })
  const served = admission === undefined ? answer : createDoor(inside, { admission, onRefused })
  const listener: RequestListener = (request, response) => {
    nameHost(request)
    served(request, response)
  }
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node would answer a missing Host by itself, without a body and a correlation id.
      requireHostHeader: false,
      ...(webSocketPath === undefined ? {} : { IncomingMessage: incomingWithWebSocketsAt(webSocketPath) }),
    },
    listener,
  )
  countRunningTime(server)
  cutSlowBodies(server, options.pace)
  const latest = new WeakMap<Duplex, IncomingMessage>()
  lingerWithUnreadBodies(server, latest)
  server.on('request', (request) => latest.set(request.socket, request))
  server.on('checkExpectation', listener)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    answerClientError(error, socket, latest.get(socket), sinks)
  })
  return server
}

/** HTTP/1.0 knows no Host, and probes of balancers still speak it (HAProxy's `option httpchk`); only HTTP/1.1 must have one. */
function nameHost({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === '1.0') headers.host ??= 'localhost'
}

function sentIdOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers['x-correlation-id']
  return typeof sent === 'string' ? sent : undefined
}

function brokenTarget(error: unknown): unknown {
  return error instanceof RequestError
    ? new ApiError('request/invalid-query', { message: 'The request line or its Host header is not valid.' })
    : error
}

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'request/headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request/payload-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request/timeout',
}

/** The parser gave up: the answer is written by hand, when nothing of another one is on its way, and the connection ends. */
function answerClientError(
  error: NodeJS.ErrnoException,
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
    toErrorBody(new ApiError(code, known === undefined ? { message: BROKEN } : {}), correlationId),
  )
  socket.end(
    `HTTP/1.1 ${ERRORS[code].status} ${STATUS_TEXT[ERRORS[code].status] ?? 'Error'}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `cache-control: no-store\r\nx-correlation-id: ${correlationId}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

// The peer gets this long to read the answer before a half-open connection is closed for good.
const LINGER_MS = 1000
const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
}
