// Declares the wire schemas of the inbox, which its routes document and validate.

import { z } from '@hono/zod-openapi'
import { ACTION_STYLES, PRIORITIES } from '../../../contract/delivery.ts'
import { jsonObjectSchema } from '../track-schema.ts'

const instantOrNull = z.iso.datetime().nullable()

export const inboxSchema = z
  .object({
    epoch: z.string(),
    seq: z.number().int(),
    unread: z.number().int().openapi({ description: 'The badge: messages with a dot that were never rendered.' }),
    unopened: z.number().int().openapi({ description: 'Messages with a dot.' }),
  })
  .openapi('Inbox')

const patchFields = {
  unopened: z.boolean(),
  readAt: instantOrNull,
  openedAt: instantOrNull,
  clickedAt: instantOrNull,
  archivedAt: instantOrNull,
  snoozedUntil: instantOrNull,
}

export const messageSchema = z
  .object({
    id: z.string(),
    seq: z.number().int().openapi({ description: 'The seq of its creation.' }),
    title: z.string(),
    body: z.string(),
    bodyFormat: z.enum(['text', 'markdown']),
    link: z.string().nullable(),
    actions: z.array(z.object({ label: z.string(), link: z.string().nullable(), style: z.enum(ACTION_STYLES) })),
    category: z.string().nullable(),
    entity: z.string().nullable(),
    icon: z.string().nullable(),
    imageUrl: z.string().nullable(),
    priority: z.enum(PRIORITIES),
    data: jsonObjectSchema,
    createdAt: z.iso.datetime(),
    expiresAt: instantOrNull,
    ...patchFields,
  })
  .openapi('InboxMessage')

const seq = z.number().int()

export const changesSchema = z
  .object({
    ...inboxSchema.shape,
    changes: z.array(
      z.union([
        z.object({ seq, op: z.literal('add'), message: messageSchema }),
        z.object({ seq, op: z.literal('update'), id: z.string(), patch: z.object(patchFields).partial() }),
        z.object({ seq, op: z.literal('remove'), id: z.string() }),
      ]),
    ),
    reset: z.boolean().openapi({ description: 'If true, read the pages again; there are no changes.' }),
  })
  .openapi('InboxChanges')

/** A position in the change log, as a query parameter. */
export const seqParam = z
  .string()
  .regex(/^\d{1,15}$/, 'A whole number.')
  .transform(Number)
  .openapi({ type: 'integer', minimum: 0 })
