// Serves GET /v1/inbox/messages, and PATCH and DELETE of one message.

import { z } from '@hono/zod-openapi'
import { atLeastOne, instantOrNull } from '../../../contract/resources/fields.ts'
import { cursorParam, freshParam, limitParam } from '../../../contract/resources/page.ts'
import { inboxFilter, inboxHead, inboxMessage, inboxPage } from '../../../contract/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Guard } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

const LIST = '/v1/inbox/messages'
const ONE = `${LIST}/:id`
// A year with a leap day.
const MAX_SNOOZE_MS = 366 * 24 * 60 * 60 * 1000

const pageQuery = z.object({
  filter: inboxFilter.default('all'),
  category: z.string().min(1).max(256).optional(),
  cursor: cursorParam,
  limit: limitParam,
  fresh: freshParam,
})

const changeBody = z
  .object({
    archived: z.boolean().optional(),
    snoozedUntil: instantOrNull.optional(),
    unopened: z.boolean().optional(),
  })
  .refine(
    ({ archived, snoozedUntil, unopened }) =>
      archived !== undefined || snoozedUntil !== undefined || unopened !== undefined,
    'Give at least one of archived, snoozedUntil and unopened.',
  )
  .openapi('MessageChange', {
    description: '`snoozedUntil` must be in the future.',
    ...atLeastOne('archived', 'snoozedUntil', 'unopened'),
  })

export function addInboxMessageRoutes(
  http: Http,
  { readInbox, changeInbox, clock }: Pick<Services, 'readInbox' | 'changeInbox' | 'clock'>,
  guards: readonly Guard<'widget'>[] = [],
): void {
  const common = { tag: 'Inbox', caller: 'widget', guards } as const
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      path: LIST,
      summary:
        'List messages, newest first; `all` omits archived and snoozed ones. A page of 1 MiB ends before `limit`',
      query: pageQuery,
      answer: { status: 200, schema: inboxPage },
      errors: ['request/rate-limited'],
    },
    (call) => readInbox.page(call.session, call.query),
  )
  addRoute(
    http,
    {
      ...common,
      method: 'patch',
      path: ONE,
      summary: 'Archive, snooze, or mark as read or unread by hand',
      body: changeBody,
      answer: { status: 200, schema: z.object({ message: inboxMessage, inbox: inboxHead }) },
      errors: ['message/not-found', 'request/rate-limited'],
    },
    (call) => {
      requireSnoozeTime(call.body.snoozedUntil, clock.now())
      return changeInbox.change(call.session, call.params.id ?? '', call.body)
    },
  )
  addRoute(
    http,
    {
      ...common,
      method: 'delete',
      path: ONE,
      summary: 'Remove a message from the inbox; it stays in the history',
      answer: { status: 200, schema: z.object({ inbox: inboxHead }) },
      errors: ['message/not-found', 'request/rate-limited'],
    },
    (call) => changeInbox.remove(call.session, call.params.id ?? ''),
  )
}

function requireSnoozeTime(until: number | null | undefined, now: number): void {
  if (until === null || until === undefined) return
  const message =
    until <= now ? 'Not in the future.' : until > now + MAX_SNOOZE_MS ? 'More than a year ahead.' : undefined
  if (message !== undefined)
    throw new ApiError('request/invalid-body', { details: [{ path: 'snoozedUntil', message }] })
}
