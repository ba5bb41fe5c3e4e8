// Declares the schema of a received event, in the answers about an event and about a message.

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
