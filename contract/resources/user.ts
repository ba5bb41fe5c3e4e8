// Describes users: profiles and their changes, marks as read, and the export of all that is stored.

import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { LIMITS } from '../limits.ts'
import { inboxFilter, jsonObject } from '../schemas.ts'
import { EXTERNAL_SYSTEM, isUserId, MAX_EXTERNAL_ID_CHARS, MAX_EXTERNAL_IDS, USER_ID_RULE } from '../user-id.ts'
import { exactlyOne } from './fields.ts'
import { cursorParam, limitParam } from './page.ts'

const instant = z.iso.datetime()
const textOrNull = z.string().nullable()
const anyObject = jsonObject<JsonObject>()

/** The customer's own id of a user; keys of topics follow the same rule. */
export const userId = z
  .string()
  .refine(isUserId, USER_ID_RULE)
  .meta({ minLength: 1, maxLength: LIMITS.userIdChars, pattern: '^[^\\p{Cc}\\p{Cs}]*$', example: 'u_42' })

export const user = z
  .object({
    userId: z.string(),
    email: textOrNull,
    name: textOrNull,
    locale: textOrNull,
    timeZone: textOrNull,
    attributes: z.record(z.string(), z.unknown()),
    externalIds: z.record(z.string(), z.string()),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'User' })
export type UserAnswer = z.output<typeof user>

// Accepts invalid locales, because no event must be lost for them. Limits lengths and refuses control characters.
const profileText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'No control character.')
    // Declares the pattern separately: the reference would add the flag of the expression to it.
    .meta({ pattern: '^\\P{Cc}*$' })
    .nullable()
    .optional()

const externalIds = z
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
  .meta({
    description: 'Ids in other systems, such as `{ "stripe": "cus_1" }`: each belongs to one user; null removes one.',
    example: { stripe: 'cus_1' },
    maxProperties: MAX_EXTERNAL_IDS,
  })

/** Null is declared again for the reference, which does not derive it from `nullable()` here. */
const anyObjectOrNull = anyObject.nullable().meta({ type: ['object', 'null'], additionalProperties: true })

/** A change of a profile: absent fields stay unchanged, null removes a field. Nothing is lost for an odd address. */
export const profileChange = z
  .object({
    email: z.string().max(320).nullable().optional().meta({
      description: 'One that no mail goes to is kept, and a doubt; an empty one is none.',
      example: 'ada@example.com',
    }),
    name: profileText(256),
    locale: profileText(64).meta({ example: 'en-GB' }),
    timeZone: profileText(64).meta({ example: 'Europe/London' }),
    attributes: anyObjectOrNull.optional(),
    externalIds: externalIds.nullable().optional(),
  })
  .meta({ id: 'ProfileChange' })

/** A beginning. */
export const beginningParam = z.string().max(256).optional()

export const usersQuery = z.object({
  q: beginningParam,
  /** Such as `stripe:cus_1`: the system, then the id there. */
  externalId: z
    .string()
    .max(400)
    .regex(/^[A-Za-z0-9._-]{1,64}:./s, 'A system and an id, such as stripe:cus_1.')
    .optional(),
  limit: limitParam,
  cursor: cursorParam,
})
export type UsersQuery = z.output<typeof usersQuery>

export const userInboxQuery = z.object({
  filter: inboxFilter.default('all'),
  category: z.string().min(1).max(256).optional(),
  limit: limitParam,
  cursor: cursorParam,
})

export const markRead = z
  .object({
    entity: z.string().min(1).max(1024).optional(),
    messageIds: z.array(z.string()).min(1).max(LIMITS.actionIds).optional(),
  })
  .refine(({ entity, messageIds }) => (entity === undefined) !== (messageIds === undefined), {
    message: 'Give exactly one of entity and messageIds.',
  })
  .meta({ id: 'MarkReadRequest', description: 'Exactly one of the two.', ...exactlyOne('entity', 'messageIds') })

export const userExport = z
  .object({
    exportedAt: instant,
    environment: z.string(),
    user,
    preferences: anyObject,
    topics: z.array(z.string()),
    suppressions: z.array(z.object({ channel: z.string(), reason: z.string(), createdAt: instant })),
    events: z.array(anyObject).meta({ description: 'As `GET /v1/events`, without other recipients.' }),
    deliveries: z.array(anyObject).meta({ description: 'As `GET /v1/deliveries/{messageId}`.' }),
  })
  .meta({ id: 'UserExport' })
