// Calls the edge for the demo's backend: events by the SDK, all else by HTTP with the environment's `sdkSecretKey`.

import { type EventToTrack, type NotificationClient, NotificationRequestError } from '../../sdk/node/index.ts'
import { createClient } from './client.ts'
import type { EnvironmentKeys } from './demo-file.ts'

export interface EdgeAnswer {
  status: number
  correlationId: string | null
  /** The parsed JSON; null without one. */
  body: unknown
}

export type EdgeApi = ReturnType<typeof createEdgeApi>

/** Returns network failures as status 503, so that no page waits on an unhandled rejection. */
export function createEdgeApi(
  edgeUrl: string,
  keys: EnvironmentKeys,
  client: NotificationClient = createClient(edgeUrl, keys),
) {
  async function call(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<EdgeAnswer> {
    return toAnswerOfEdge(
      fetch(`${edgeUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${keys.sdkSecretKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(15_000),
      }),
    )
  }

  return {
    get: (path: string) => call('GET', path),
    put: (path: string, body: object) => call('PUT', path, body),
    post: (path: string, body: object = {}) => call('POST', path, body),
    /** Sends the user's text unchanged, because the edge validates it. */
    track: (event: object) => toAnswer(client.track(event as EventToTrack)),
    trackBatch: (events: readonly object[]) => toAnswer(client.trackBatch(events as readonly EventToTrack[])),
  }
}

/** Reads the answer of a call by HTTP; a network failure is status 503. */
export async function toAnswerOfEdge(call: Promise<Response>): Promise<EdgeAnswer> {
  try {
    const response = await call
    const text = await response.text()
    return { status: response.status, correlationId: response.headers.get('x-correlation-id'), body: parseJson(text) }
  } catch (error) {
    return toRefusal(error)
  }
}

async function toAnswer(call: Promise<{ correlationId: string | null }>): Promise<EdgeAnswer> {
  try {
    const body = await call
    return { status: 202, correlationId: body.correlationId, body }
  } catch (error) {
    return toRefusal(error)
  }
}

function toRefusal(error: unknown): EdgeAnswer {
  if (error instanceof NotificationRequestError) {
    return { status: error.status, correlationId: error.correlationId ?? null, body: error.answer }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { status: 503, correlationId: null, body: { code: 'demo/edge-unreachable', message } }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns all items of a paged list, at most `max`. */
export async function listAll<T>(get: (path: string) => Promise<EdgeAnswer>, path: string, max = 2000): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await get(`${path}${path.includes('?') ? '&' : '?'}limit=100${more}`)
    if (answer.status !== 200) throw new EdgeRefusal(answer)
    const page = answer.body as { data: T[]; nextCursor: string | null }
    items.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < max)
  return items
}

/** Reports a refusal of the edge with its message. */
export class EdgeRefusal extends Error {
  readonly answer: EdgeAnswer

  constructor(answer: EdgeAnswer) {
    super(`The edge answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    this.answer = answer
  }
}
