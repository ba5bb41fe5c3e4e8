// Serves GET /v1/inbox/changes: the changes after a seq, for clients without a WebSocket and clients with a gap.

import { z } from '@hono/zod-openapi'
import { freshParam } from '../../../contract/resources/page.ts'
import { inboxChanges } from '../../../contract/schemas.ts'
import { jsonAnswer } from '../kernel/answer.ts'
import { headerOf } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Guard } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

/** A position in the change log. */
const seqParam = z
  .string()
  .regex(/^\d{1,15}$/, 'A whole number.')
  .transform(Number)
  .openapi({ type: 'integer', minimum: 0 })

const changesQuery = z.object({
  since: seqParam,
  // An empty value means that the epoch is unknown, as no value does.
  epoch: z
    .string()
    .max(128)
    .transform((epoch) => (epoch === '' ? undefined : epoch))
    .optional(),
  fresh: freshParam,
})

export function addInboxChangesRoute(
  http: Http,
  { readInbox }: Pick<Services, 'readInbox'>,
  guards: readonly Guard<'widget'>[] = [],
): void {
  addRoute(
    http,
    {
      method: 'get',
      path: '/v1/inbox/changes',
      summary: 'Read all changes after a seq, in order; 304 while the ETag of the same query is current',
      tag: 'Inbox',
      caller: 'widget',
      guards,
      query: changesQuery,
      headers: z.object({ 'If-None-Match': z.string().optional() }),
      answer: { status: 200, schema: inboxChanges, unchanged: 'The ETag of the same query is still current.' },
      errors: ['request/rate-limited'],
    },
    async (call) => {
      const ifNoneMatch = headerOf(call.c, 'if-none-match')
      const { etag, body } = await readInbox.changes(call.session, { ...call.query, ifNoneMatch })
      if (body !== null) return jsonAnswer(body, 200, call.correlationId, { etag })
      return new Response(null, { status: 304, headers: { etag, 'cache-control': 'no-store' } })
    },
  )
}
