// Serves POST /v1/inbox/actions and /v1/inbox/read-all, which change many messages in one call.

import { z } from '@hono/zod-openapi'
import { LIMITS } from '../../../contract/limits.ts'
import { atLeastOne } from '../../../contract/resources/fields.ts'
import { inboxHead } from '../../../contract/schemas.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Guard } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

const actionsBody = z
  .object({
    ids: z.array(z.string().max(256)).min(1).max(LIMITS.actionIds),
    archived: z.boolean().optional(),
    unopened: z.boolean().optional(),
    deleted: z.boolean().optional(),
  })
  .refine(
    ({ archived, unopened, deleted }) => archived !== undefined || unopened !== undefined || deleted !== undefined,
    'Give at least one of archived, unopened and deleted.',
  )
  .openapi('InboxActions', atLeastOne('archived', 'unopened', 'deleted'))

const actionsAnswer = z.object({
  results: z.array(
    z.union([z.object({ id: z.string(), ok: z.literal(true) }), z.object({ id: z.string(), code: z.string() })]),
  ),
  inbox: inboxHead,
})

const readAllBody = z
  .object({ seq: z.number().int().min(0).openapi({ description: 'The newest seq that the user has seen.' }) })
  .openapi('ReadAll')

export function addInboxActionRoutes(
  http: Http,
  { changeInbox }: Pick<Services, 'changeInbox'>,
  guards: readonly Guard<'widget'>[] = [],
): void {
  const common = { method: 'post', tag: 'Inbox', caller: 'widget', guards } as const
  addRoute(
    http,
    {
      ...common,
      path: '/v1/inbox/actions',
      summary: `Make the same change to up to ${LIMITS.actionIds} messages`,
      body: actionsBody,
      answer: { status: 200, schema: actionsAnswer },
      errors: ['request/rate-limited'],
    },
    ({ session, body: { ids, ...change } }) => changeInbox.changeMany(session, ids, change),
  )
  addRoute(
    http,
    {
      ...common,
      path: '/v1/inbox/read-all',
      summary: 'Mark all messages up to a seq as read by hand; writes no delivery event',
      body: readAllBody,
      answer: { status: 200, schema: z.object({ inbox: inboxHead }) },
      errors: ['request/rate-limited'],
    },
    (call) => changeInbox.readAll(call.session, call.body.seq),
  )
}
