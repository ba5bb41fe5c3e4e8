// Declares the schemas that validate and document tracked events.
// The name of an event is parsed by `domain/tracking/event-name.ts`.

import { z } from '@hono/zod-openapi'
import type { JsonObject } from '../../contract/json.ts'
import { LIMITS } from '../../contract/limits.ts'
import { exactlyOne, instant } from '../../contract/resources/fields.ts'
import { jsonObject } from '../../contract/schemas.ts'
import { EXTERNAL_SYSTEM, isUserId, USER_ID_RULE } from '../../contract/user-id.ts'
import { MAX_EXTERNAL_ID_CHARS, MAX_EXTERNAL_IDS } from '../domain/user.ts'
import { errorSchema } from './reference.ts'

export const userIdSchema = z
  .string()
  .refine(isUserId, USER_ID_RULE)
  .openapi({ minLength: 1, maxLength: LIMITS.userIdChars, pattern: '^[^\\p{Cc}\\p{Cs}]*$', example: 'u_42' })

export const jsonObjectSchema = jsonObject<JsonObject>()

/** Declares null again for the reference, which does not derive it from `nullable()` here. */
export const jsonObjectOrNullSchema = jsonObjectSchema
  .nullable()
  .openapi({ type: ['object', 'null'], additionalProperties: true })

const idempotencyKeySchema = z
  .string()
  .refine(isIdempotencyKey, `1 to ${LIMITS.idempotencyKeyChars} characters.`)
  .openapi({ minLength: 1, maxLength: LIMITS.idempotencyKeyChars })

/** @returns Whether the text has 1 to 256 characters. */
export function isIdempotencyKey(text: string): boolean {
  return /^.{1,256}$/su.test(text)
}

// Accepts invalid locales, because no event must be lost for them. Limits lengths and refuses control characters.
const profileText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'No control character.')
    // Declares the pattern separately: the reference would add the flag of the expression to it.
    .openapi({ pattern: '^\\P{Cc}*$' })
    .nullable()
    .optional()

const externalIdsSchema = z
  .record(
    z.string().regex(EXTERNAL_SYSTEM, 'A system is 1 to 64 letters, digits, and . _ or - between them.'),
    z
      .string()
      .min(1)
      .max(MAX_EXTERNAL_ID_CHARS)
      .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'No control character.')
      .nullable(),
  )
  .refine((ids) => Object.keys(ids).length <= MAX_EXTERNAL_IDS, `At most ${MAX_EXTERNAL_IDS}.`)
  .openapi({
    description: 'Ids in other systems, such as `{ "stripe": "cus_1" }`: each belongs to one user; null removes one.',
    example: { stripe: 'cus_1' },
  })

/** A change of a profile: absent fields stay unchanged, null removes a field. Nothing is lost for an odd address. */
export const profileChangeSchema = z
  .object({
    email: z.string().max(320).nullable().optional().openapi({
      description: 'One that no mail goes to is kept, and a doubt; an empty one is none.',
      example: 'ada@example.com',
    }),
    name: profileText(256),
    locale: profileText(64).openapi({ example: 'en-GB' }),
    timeZone: profileText(64).openapi({ example: 'Europe/London' }),
    attributes: jsonObjectOrNullSchema.optional(),
    externalIds: externalIdsSchema.nullable().optional(),
  })
  .openapi('ProfileChange')

/** Parses a time of a query, where numbers are texts and a `+` that is not escaped is a space. */
export const instantParam = z
  .string()
  .transform((text) => (/^-?\d+$/.test(text) ? Number(text) : text.replace(/(T.*) (\d{2}(?::?\d{2})?)$/i, '$1+$2')))
  .pipe(instant)
  .openapi({ type: 'string', format: 'date-time' })

/** Validates one event of a request except its name, which has its own grammar. */
export const eventFieldsSchema = z
  .object({
    userId: userIdSchema.optional(),
    userIds: z.array(userIdSchema).min(1).max(LIMITS.recipients).optional(),
    topic: userIdSchema.optional(),
    properties: jsonObjectSchema.optional(),
    occurredAt: instant.optional(),
    idempotencyKey: idempotencyKeySchema.optional(),
    user: profileChangeSchema.optional(),
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
