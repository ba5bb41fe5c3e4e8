// Serves POST /v1/notification/event/register, which records what users did with messages.

import { z } from '@hono/zod-openapi'
import { LIMITS } from '../../../contract/limits.ts'
import { registerAnswer, registeredEventType } from '../../../contract/schemas.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { DeliveryReport, RecordDelivery } from '../../flow/inbox/record-delivery.ts'
import type { Http } from '../http.ts'
import { addRoute, check } from '../route.ts'
import type { Guard } from '../route-spec.ts'
import { instantSchema } from '../track-schema.ts'

export interface EventRegisterDeps {
  recordDelivery: RecordDelivery
  /** Rate limits of inbox calls. */
  guards?: readonly Guard<'widget'>[]
}

const reportSchema = z
  .object({
    messageId: z.string(),
    eventType: registeredEventType,
    occurredAt: instantSchema.optional(),
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

const documentedBody = z.union([
  reportSchema,
  z.object({ events: z.array(reportSchema).min(1).max(LIMITS.registerEvents) }),
])

export function addEventRegisterRoute(http: Http, deps: EventRegisterDeps): void {
  addRoute<'widget', JsonObject>(
    http,
    {
      method: 'post',
      path: '/v1/notification/event/register',
      summary: `Register one read, opened or clicked, or up to ${LIMITS.registerEvents}`,
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

/** @returns The report; for an invalid item, one with an unknown event type, so that its result has an error. */
function toReport(item: { messageId: string }): DeliveryReport {
  const result = reportSchema.safeParse(item)
  return result.success ? result.data : { messageId: item.messageId, eventType: '' }
}
