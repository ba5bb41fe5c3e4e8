// Adapts `dispatch` to Express 4 and 5 and compatible servers: with express.json(), express.raw(), or no parser.

import type { NotificationClient } from '../client.ts'
import { type DispatchResponse, statusOf } from '../enrichers/answer.ts'
import { readBounded } from './body.ts'

/** The used part of Express' request. */
export interface ExpressRequest extends AsyncIterable<unknown> {
  body?: unknown
  headers: { [name: string]: string | string[] | undefined }
  query: unknown
}

/** The used part of Express' response. */
export interface ExpressResponse {
  status(status: number): unknown
  setHeader(name: string, value: string): unknown
  json(body: unknown): unknown
  on(name: 'close', listener: () => void): unknown
  writableEnded: boolean
}

export type ExpressHandler = (request: ExpressRequest, response: ExpressResponse) => Promise<void>

/** Answers the enricher calls of one route: `app.post('/enrichers', expressHandler(client))`. Never rejects. */
export function expressHandler(client: NotificationClient): ExpressHandler {
  return async function answerEnricher(request, response) {
    const gone = new AbortController()
    response.on('close', () => {
      if (!response.writableEnded) gone.abort()
    })
    // There is no parser, or it does not handle this content type.
    const body = request.body ?? (await readBounded(request).catch(() => new Uint8Array()))
    if (body === undefined) {
      send(response, 413, { ok: false, error: { code: 'internal', message: 'The body is too long.' } })
      return
    }
    const name = Object(request.query).name
    const answer = await client.dispatch(body, { headers: request.headers, name, signal: gone.signal })
    send(response, statusOf(answer), answer)
  }
}

function send(response: ExpressResponse, status: number, body: DispatchResponse): void {
  response.setHeader('cache-control', 'no-store')
  response.status(status)
  response.json(body)
}
