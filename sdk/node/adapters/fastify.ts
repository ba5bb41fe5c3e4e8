// The door for Fastify: bodies as its own JSON parser gives them, or as text or bytes of a parser of yours.

import type { NotificationClient } from '../client.ts'
import { type DispatchResponse, statusOf } from '../enrichers/answer.ts'

/** What is needed of Fastify's request. */
export interface FastifyRequest {
  body: unknown
  headers: { [name: string]: string | string[] | undefined }
  query: unknown
}

/** What is needed of Fastify's reply. */
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
