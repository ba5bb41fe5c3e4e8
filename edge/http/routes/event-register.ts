// Serves POST /v1/notification/event/register, which records what users did with messages.

import { z } from '@hono/zod-openapi'
import type { JsonObject } from '../../../contract/json.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { instant } from '../../../contract/resources/fields.ts'
import { registerAnswer, registeredEventType, registerResult } from '../../../contract/schemas.ts'
import type { DeliveryReport } from '../../flow/inbox/record-delivery.ts'
import { ApiError } from '../../lib/api-error.ts'
import { check } from '../../lib/check-schema.ts'
import { readJsonObject } from '../kernel/body.ts'
import { headerOf } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import { addAlternative, addRoute } from '../kernel/route.ts'
import type { Guard } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

type Links = Pick<Services, 'linkTokens' | 'followLinks'>

const reportSchema = z
  .object({
    messageId: z.string(),
    eventType: registeredEventType,
    occurredAt: instant.optional(),
    link: z.string().max(2048).optional(),
    source: z.string().min(1).max(64).optional(),
  })
  .openapi('DeliveryReport')

/** Validates only the list, because each item is validated separately: one invalid item must not block a client's queue. */
const batchSchema = z.object({
  events: z
    .array(z.looseObject({ messageId: z.string().max(256) }))
    .min(1)
    .max(LIMITS.registerEvents),
})

const linkSchema = z
  .object({
    linkToken: z.string().max(12_000),
    occurredAt: reportSchema.shape.occurredAt,
    source: reportSchema.shape.source,
  })
  .openapi('FollowedLink', { description: 'A link in a mail was followed. Needs no session.' })

const documentedBody = z.union([
  reportSchema,
  linkSchema,
  z.object({ events: z.array(reportSchema).min(1).max(LIMITS.registerEvents) }),
])

/** The answer to a `linkToken` has no inbox: the call names no user. */
const linkAnswer = z.object({ results: z.array(registerResult) })

const PATH = '/v1/notification/event/register'

export function addEventRegisterRoute(
  http: Http,
  { recordDelivery, ...links }: Links & Pick<Services, 'recordDelivery'>,
  guards: readonly Guard<'widget'>[] = [],
): void {
  addLinkAlternative(http, links)
  addRoute<'widget', JsonObject>(
    http,
    {
      method: 'post',
      path: PATH,
      summary: `Register one read, opened or clicked, or up to ${LIMITS.registerEvents}`,
      tag: 'Inbox',
      caller: 'widget',
      guards,
      ownBody: documentedBody,
      answer: { status: 200, schema: z.union([registerAnswer, linkAnswer]) },
      errors: ['message/not-found', 'request/rate-limited'],
      maxBytes: LIMITS.batchBytes,
      listed: { name: 'events', maxItems: LIMITS.registerEvents },
    },
    ({ session, body }) => {
      if (body.linkToken !== undefined) return registerFollowed(links, body)
      if (body.events === undefined) {
        return recordDelivery.recordOne(session, check(reportSchema, body, 'request/invalid-body'))
      }
      refuseLarge(body.events)
      const { events } = check(batchSchema, body, 'request/invalid-body')
      return recordDelivery.recordMany(session, events.map(toReport))
    },
  )
}

/** @throws the error that stands for an item nobody parsed (`kernel/body.ts`) */
function refuseLarge(events: unknown): void {
  const error: unknown = Array.isArray(events) && events.find((event) => event instanceof ApiError)
  if (error instanceof ApiError) throw error
}

/** A call without a session names a link of a mail; any other one is refused as before. */
function addLinkAlternative(http: Http, links: Links): void {
  addAlternative(
    http,
    {
      method: 'post',
      path: PATH,
      summary: 'Register a click on a link of a mail',
      tag: 'Inbox',
      caller: 'none',
      answer: { status: 200, schema: linkAnswer },
      errors: ['auth/invalid-session', 'message/not-found', 'environment/closed', 'request/invalid-body'],
    },
    (c) => headerOf(c, 'authorization') === undefined,
    async ({ c }) => registerFollowed(links, await readJsonObject(c, LIMITS.eventBytes).catch(() => undefined)),
  )
}

/** The token is read first: a caller without one of ours gets no other error. */
async function registerFollowed(
  { linkTokens, followLinks }: Links,
  body: JsonObject | undefined,
): Promise<z.infer<typeof linkAnswer>> {
  const linkToken = body?.linkToken
  const link = typeof linkToken === 'string' ? linkTokens.read(linkToken, 'click') : undefined
  if (link?.target == null) throw new ApiError('auth/invalid-session')
  const { occurredAt, source } = check(linkSchema, body, 'request/invalid-body')
  const result = await followLinks.clicked(link, link.target, {
    automated: false,
    // The call comes from a site's server or page.
    fetchedFrom: null,
    occurredAt,
    source,
  })
  if ('code' in result) throw new ApiError('message/not-found')
  return { results: [result] }
}

/** @returns The report; for an invalid item, one with an unknown event type, so that its result has an error. */
function toReport(item: { messageId: string }): DeliveryReport {
  const result = reportSchema.safeParse(item)
  return result.success ? result.data : { messageId: item.messageId, eventType: '' }
}
