// Serves common tracking requests without Hono, with the same answers (docs/decisions/0026-routes-and-fast-path.md).

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { correlationIdOf } from '../../lib/correlation.ts'
import { type DefectSinks, type JsonAnswer, reportError } from '../kernel/answer.ts'
import type { BodyBudget, HttpContext, RequestContext } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import { findBearer } from '../kernel/route.ts'

export interface FastPathDeps extends DefectSinks, Pick<Http, 'fastRoutes' | 'isDraining' | 'isDiskLow'> {
  bodyBudget: BodyBudget
}

/** @returns A listener that serves plain requests of the fast routes and passes all others to `next`. */
export function createFastPath(next: RequestListener, deps: FastPathDeps): RequestListener {
  const { fastRoutes, bodyBudget } = deps
  let knownHost: string | undefined
  const isKnownHost = (host: string | undefined) => {
    if (host === undefined) return false
    if (host !== knownHost && isPlainHost(host)) knownHost = host
    return host === knownHost
  }
  return (request, response) => {
    const answer = request.method === 'POST' ? fastRoutes.get(request.url ?? '') : undefined
    const isFast =
      answer !== undefined &&
      isPlainBody(request, bodyBudget.freeBytes) &&
      isKnownHost(request.headers.host) &&
      !deps.isDraining() &&
      deps.isDiskLow?.() !== true
    if (!isFast) next(request, response)
    else void send(response, answer(new NodeContext(request, response, bodyBudget)), deps)
  }
}

/** The context of a request without Hono. */
class NodeContext implements RequestContext {
  readonly env: HttpContext['env']

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, bodyBudget: BodyBudget) {
    this.env = { incoming, outgoing, bodyBudget }
  }

  get req(): HttpContext['req'] {
    throw new Error('web request not available in the fast path')
  }
}

async function send(
  response: ServerResponse,
  pending: Promise<JsonAnswer | Response>,
  sinks: DefectSinks,
): Promise<void> {
  let answer: JsonAnswer | Response
  try {
    answer = await pending
    if (answer instanceof Response) throw new Error('fast path route returned a Response')
  } catch (error) {
    answer = reportError(sinks, error, correlationIdOf(undefined))
  }
  const { status, headers, body } = answer
  headers['content-length'] = String(Buffer.byteLength(body))
  response.writeHead(status, headers)
  response.end(body)
}

/**
 * Returns whether the body needs no reservation and the headers no refusal.
 * The adapter of Hono does refusals before the body is read, because it handles the unread rest.
 */
function isPlainBody({ headers }: IncomingMessage, maxBytes: number): boolean {
  const declared = Number(headers['content-length'])
  return (
    declared > 0 &&
    declared <= maxBytes &&
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    findBearer(headers.authorization) !== undefined
  )
}

/** @returns Whether the Host certainly has a valid form; the adapter of Hono checks all others. */
function isPlainHost(host: string): boolean {
  return /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/.test(host)
}
