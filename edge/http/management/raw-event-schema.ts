// Declares the schema of a tracked event, for the answers about an event and about a message.

import { z } from '@hono/zod-openapi'
import { jsonObjectSchema } from '../track-schema.ts'

/** The fields that `flow/raw-event.ts` returns. */
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
