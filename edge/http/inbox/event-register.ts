// POST /v1/notification/event/register: what users did with messages (specification section 4.3, contract sections 5 and 14).

import { z } from '@hono/zod-openapi'
import { REGISTERED_EVENT_TYPES } from '../../../contract/delivery.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { DeliveryReport, RecordDelivery } from '../../flow/inbox/record-delivery.ts'
import type { Http } from '../http.ts'
import { addRoute, check, type Guard } from '../route.ts'
import { instantSchema } from '../track-schema.ts'
import { inboxSchema } from './inbox-schema.ts'

export interface EventRegisterDeps {
  recordDelivery: RecordDelivery
  /** Rate limits of inbox calls. */
  guards?: readonly Guard<'widget'>[]
}

const eventType = z.enum(REGISTERED_EVENT_TYPES)

const reportSchema = z
  .object({
    messageId: z.string(),
    eventType,
    occurredAt: instantSchema.optional(),
    link: z.string().max(2048).optional(),
    source: z.string().min(1).max(64).optional(),
  })
  .openapi('DeliveryReport')

/** Items are only told apart here; each is checked by itself, so that one fault does not hold up a queue. */
const batchSchema = z.object({
  events: z
    .array(z.looseObject({ messageId: z.string().max(256) }))
    .min(1)
    .max(LIMITS.registerEvents),
})

const documentedBody = z.union([
  reportSchema,
  z.object({ events: z.array(reportSchema).min(1).max(LIMITS.registerEvents) }),
])

const registerAnswer = z.object({
  results: z.array(
    z.union([
      z.object({ messageId: z.string(), eventType, recorded: z.boolean() }),
      z.object({ messageId: z.string(), code: z.string() }),
    ]),
  ),
  inbox: inboxSchema,
})

export function addEventRegisterRoute(http: Http, deps: EventRegisterDeps): void {
  addRoute<'widget', JsonObject>(
    http,
    {
      method: 'post',
      path: '/v1/notification/event/register',
      summary: `Register read, opened or clicked: one, or up to ${LIMITS.registerEvents}`,
      tag: 'Inbox',
      caller: 'widget',
      guards: deps.guards ?? [],
      ownBody: documentedBody,
      answer: { status: 200, schema: registerAnswer },
      errors: ['message/not-found', 'request/rate-limited'],
      maxBytes: LIMITS.batchBytes,
    },
    ({ session, body }) => {
      if (body.events === undefined) {
        return deps.recordDelivery.recordOne(session, check(reportSchema, body, 'request/invalid-body'))
      }
      const { events } = check(batchSchema, body, 'request/invalid-body')
      return deps.recordDelivery.recordMany(session, events.map(toReport))
    },
  )
}

/** A faulty item keeps its id and becomes a report of no known event type, which its result then says. */
function toReport(item: { messageId: string }): DeliveryReport {
  const result = reportSchema.safeParse(item)
  return result.success ? result.data : { messageId: item.messageId, eventType: '' }
}
