// The short way in: tracking of the common form is answered from node's own objects. All else goes through Hono, and every answer is the same (docs/decisions/0188).

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { findBearer } from '../../auth/tracking-key.ts'
import { correlationIdOf } from '../../lib/correlation.ts'
import { type DefectSinks, type JsonAnswer, tellError } from '../answer.ts'
import type { Asked, BodyRoom, HttpContext } from '../context.ts'
import type { Http } from '../http.ts'

export interface ShortWayDeps extends DefectSinks, Pick<Http, 'short' | 'isDraining' | 'isDiskLow'> {
  room: BodyRoom
}

/** Answers what it can by itself; the rest is for `inside`. */
export function createShortWay(inside: RequestListener, deps: ShortWayDeps): RequestListener {
  const { short, room } = deps
  let knownHost: string | undefined
  const isKnownHost = (host: string | undefined) => {
    if (host === undefined) return false
    if (host !== knownHost && isPlainHost(host)) knownHost = host
    return host === knownHost
  }
  return (request, response) => {
    const answer = request.method === 'POST' ? short.get(request.url ?? '') : undefined
    const isOurs =
      answer !== undefined &&
      isPlainBody(request, room.freeBytes) &&
      isKnownHost(request.headers.host) &&
      !deps.isDraining() &&
      deps.isDiskLow?.() !== true
    if (!isOurs) inside(request, response)
    else void send(response, answer(new NodeCall(request, response, room)), deps)
  }
}

/** A request without Hono around it. */
class NodeCall implements Asked {
  readonly env: HttpContext['env']

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, room: BodyRoom) {
    this.env = { incoming, outgoing, room }
  }

  get req(): HttpContext['req'] {
    throw new Error('On the short way in there is no web request.')
  }
}

async function send(
  response: ServerResponse,
  asked: Promise<JsonAnswer | Response>,
  sinks: DefectSinks,
): Promise<void> {
  let answer: JsonAnswer | Response
  try {
    answer = await asked
    if (answer instanceof Response) throw new Error('A route of the short way in gives JSON.')
  } catch (error) {
    answer = tellError(sinks, error, correlationIdOf(undefined))
  }
  const { status, headers, body } = answer
  headers['content-length'] = String(Buffer.byteLength(body))
  response.writeHead(status, headers)
  response.end(body)
}

/** What is refused before its body is read is left to Hono's adapter, which knows what to do with the rest; and nobody is asked for room here. */
function isPlainBody({ headers }: IncomingMessage, mostBytes: number): boolean {
  const declared = Number(headers['content-length'])
  return (
    declared > 0 &&
    declared <= mostBytes &&
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    findBearer(headers.authorization) !== undefined
  )
}

/** As the adapter of Hono takes it without a second look; what else a Host may be is left to that. */
function isPlainHost(host: string): boolean {
  return /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/.test(host)
}
