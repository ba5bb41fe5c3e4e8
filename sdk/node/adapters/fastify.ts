// Adapts `dispatch` to Fastify, whose body may be parsed JSON, text or bytes.

import type { NotificationClient } from '../client.ts'
import { type DispatchResponse, statusOf } from '../enrichers/answer.ts'

/** The used part of Fastify's request. */
export interface FastifyRequest {
  body: unknown
  headers: { [name: string]: string | string[] | undefined }
  query: unknown
}

/** The used part of Fastify's reply. */
export interface FastifyReply {
  code(status: number): unknown
  header(name: string, value: string): unknown
}

export type FastifyHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<DispatchResponse>

/** Answers the enricher calls of one route: `app.post('/enrichers', fastifyHandler(client))`. Never rejects. */
export function fastifyHandler(client: NotificationClient): FastifyHandler {
  return async function answerEnricher({ body, headers, query }, reply) {
    const answer = await client.dispatch(body, { headers, name: Object(query).name })
    reply.header('cache-control', 'no-store')
    reply.code(statusOf(answer))
    return answer
  }
}
