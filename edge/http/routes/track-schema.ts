// Declares the schemas that validate and document tracked events.
// The name of an event is parsed by `domain/tracking/event-name.ts`.

import { z } from '@hono/zod-openapi'
import type { JsonObject } from '../../../contract/json.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { exactlyOne, instant } from '../../../contract/resources/fields.ts'
import { profileChange, userId } from '../../../contract/resources/user.ts'
import { jsonObject } from '../../../contract/schemas.ts'
import { errorSchema } from '../kernel/reference.ts'

const idempotencyKeySchema = z
  .string()
  .refine(isIdempotencyKey, `1 to ${LIMITS.idempotencyKeyChars} characters.`)
  .openapi({ minLength: 1, maxLength: LIMITS.idempotencyKeyChars })

/** @returns Whether the text has 1 to 256 characters. */
export function isIdempotencyKey(text: string): boolean {
  return /^.{1,256}$/su.test(text)
}

/** Validates one event of a request except its name, which has its own grammar. */
export const eventFieldsSchema = z
  .object({
    userId: userId.optional(),
    userIds: z.array(userId).min(1).max(LIMITS.recipients).optional(),
    topic: userId.optional(),
    properties: jsonObject<JsonObject>().optional(),
    occurredAt: instant.optional(),
    idempotencyKey: idempotencyKeySchema.optional(),
    user: profileChange.optional(),
  })
  .superRefine((fields, context) => {
    const given = [fields.userId, fields.userIds, fields.topic].filter((field) => field !== undefined).length
    if (given !== 1) {
      context.addIssue({ code: 'custom', path: ['userId'], message: 'Give exactly one of userId, userIds and topic.' })
    }
    if (fields.user !== undefined && fields.userId === undefined) {
      context.addIssue({ code: 'custom', path: ['user'], message: 'A profile requires userId.' })
    }
  })

export type EventFields = z.output<typeof eventFieldsSchema>

// The reference documents the name as a string, with an example of its grammar.
const documentedFields = {
  ...eventFieldsSchema.shape,
  name: z.string().openapi({ example: 'order.shipped', format: 'event-name' }),
}
const recipients = {
  ...exactlyOne('userId', 'userIds', 'topic'),
  // A profile requires `userId`.
  anyOf: [{ required: ['userId'] }, { not: { required: ['user'] } }],
}
const keyField = z.string().openapi({ description: 'The sdkSecretKey, equal to the Bearer credential.' })

export const trackBodySchema = z
  .object({ sdkSecretKey: keyField, ...documentedFields })
  .openapi('TrackRequest', { description: 'Exactly one of `userId`, `userIds` and `topic`.', ...recipients })

/** The header replaces the field `idempotencyKey`; with both, they must be equal. */
export const trackHeadersSchema = z.object({ 'Idempotency-Key': idempotencyKeySchema.optional() })

export const batchBodySchema = z
  .object({
    sdkSecretKey: keyField,
    events: z.array(z.object(documentedFields).openapi('TrackedEventInput', recipients)).min(1).max(LIMITS.batchEvents),
  })
  .openapi('TrackBatchRequest')

export const trackAnswerSchema = z
  .object({
    eventId: z.string(),
    correlationId: z.string(),
    duplicate: z.boolean(),
    receivedAt: z.iso.datetime(),
  })
  .openapi('TrackAnswer')

export const batchAnswerSchema = z
  .object({
    results: z.array(
      z.union([
        z.object({ eventId: z.string(), duplicate: z.boolean() }),
        errorSchema.pick({ code: true, message: true, reason: true, position: true, details: true }),
      ]),
    ),
  })
  .openapi('TrackBatchAnswer')
