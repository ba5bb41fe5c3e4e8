// A tracked event as it came in, on the wire: in the event's own answer and beside a message (contract sections 3 and 7).

import { z } from '@hono/zod-openapi'
import { jsonObjectSchema } from '../track-schema.ts'

/** As `flow/raw-event.ts` answers them. */
export const rawEventFields = {
  eventId: z.string(),
  name: z.string(),
  userId: z.string().nullable(),
  userIds: z.array(z.string()).nullable(),
  topic: z.string().nullable(),
  properties: jsonObjectSchema,
  source: z.string(),
  occurredAt: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
}
