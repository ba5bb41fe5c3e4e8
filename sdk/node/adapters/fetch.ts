// Adapts `dispatch` to servers with Request and Response: Hono, Next.js route handlers, Workers, Deno, Bun.

import type { NotificationClient } from '../client.ts'
import { type DispatchResponse, statusOf } from '../enrichers/answer.ts'
import { readBounded } from './body.ts'

export type FetchHandler = (request: Request) => Promise<Response>

/** Answers the enricher calls of one path. Never rejects. */
export function fetchHandler(client: NotificationClient): FetchHandler {
  return async function answerEnricher(request) {
    if (request.method !== 'POST') return refuse(405, 'Enrichers are called with POST.', { allow: 'POST' })
    const body = await readBody(request)
    if (body === undefined) return refuse(413, 'The body is too long.')
    const { headers, signal } = request
    const name = new URL(request.url).searchParams.get('name')
    const response = await client.dispatch(body, { headers, name, signal })
    return toResponse(statusOf(response), response)
  }
}

/** Treats an interrupted body as empty: neither has a valid signature. */
async function readBody(request: Request): Promise<Uint8Array | undefined> {
  try {
    return request.body === null ? new Uint8Array() : await readBounded(chunksOf(request.body))
  } catch {
    return new Uint8Array()
  }
}

// Iterates with a reader, because some platforms' streams are not iterable.
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return toResponse(status, { ok: false, error: { code: 'internal', message } }, headers)
}

function toResponse(status: number, body: DispatchResponse, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}
