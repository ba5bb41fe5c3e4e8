// The door: tracking that would be turned away anyhow is answered 503 here, before its body is read and the app is asked (house section 3).

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { correlationIdOf } from '../../lib/correlation.ts'
import { type DefectSinks, toErrorBody } from '../answer.ts'
import { type Admission, overloaded } from '../limits/admission.ts'

const TRACK = '/v1/events/track'
/** A body of this size is read and dropped, which costs less than a new connection. */
const SMALL_BYTES = 64 * 1024

export interface DoorDeps extends Pick<DefectSinks, 'onRefused'> {
  admission: Pick<Admission, 'isShut'>
}

/** Lets through what `inside` shall answer. */
export function createDoor(inside: RequestListener, { admission, onRefused }: DoorDeps): RequestListener {
  return (request, response) => {
    if (request.method !== 'POST' || !isTracking(request.url) || !admission.isShut(request.headers.authorization)) {
      inside(request, response)
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
