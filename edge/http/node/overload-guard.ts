// Answers tracking requests with 503 under overload, before the body is read and the app is called.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { correlationIdOf } from '../../lib/correlation.ts'
import { type DefectSinks, toErrorBody } from '../kernel/answer.ts'
import { type LoadShedding, overloaded } from '../limits/load-shedding.ts'

const TRACK = '/v1/events/track'
/** Bytes. Smaller bodies are read and dropped, which costs less than a new connection. */
const SMALL_BYTES = 64 * 1024

export interface OverloadGuardDeps extends Pick<DefectSinks, 'onRefused'> {
  loadShedding: Pick<LoadShedding, 'shouldReject'>
}

/** @returns A listener that rejects tracking requests under overload and passes all others to `next`. */
export function createOverloadGuard(
  next: RequestListener,
  { loadShedding, onRefused }: OverloadGuardDeps,
): RequestListener {
  return (request, response) => {
    const { method, url, headers } = request
    if (method !== 'POST' || !isTracking(url) || !loadShedding.shouldReject(headers.authorization)) {
      next(request, response)
      return
    }
    const error = overloaded()
    onRefused(error.code)
    refuse(request, response, error)
  }
}

function isTracking(url: string | undefined): boolean {
  return url?.startsWith(TRACK) === true && /^(?:\/batch)?(?:$|\?)/.test(url.slice(TRACK.length))
}

function refuse(request: IncomingMessage, response: ServerResponse, error: ReturnType<typeof overloaded>): void {
  const sent = request.headers['x-correlation-id']
  const correlationId = correlationIdOf(typeof sent === 'string' ? sent : undefined)
  const body = JSON.stringify(toErrorBody(error, correlationId))
  const declared = Number(request.headers['content-length'] ?? Number.NaN)
  response.writeHead(error.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-correlation-id': correlationId,
    'retry-after': String(error.extra.retryAfterSeconds),
    ...(declared <= SMALL_BYTES ? {} : { connection: 'close' }),
  })
  response.end(body)
}
