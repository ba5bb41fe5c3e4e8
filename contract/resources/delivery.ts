// Describes deliveries: records of messages, one message with its attempts, and the filters of lists and exports.

import { z } from 'zod'
import { CHANNELS, DELIVERY_EVENT_TYPES, ENGAGEMENTS, MESSAGE_STATUSES, WINDOWS } from '../delivery.ts'
import { jsonObject } from '../schemas.ts'
import { channelParam, instantParam } from './fields.ts'
import { cursorParam, limitParam } from './page.ts'
import { rawEvent } from './tracked-event.ts'

const instant = z.iso.datetime()
const instantOrNull = instant.nullable()
const textOrNull = z.string().nullable()

/** The fields of a delivery record, in the order of the columns of the export. */
const recordFields = {
  messageId: z.string(),
  correlationId: z.string(),
  eventId: z.string(),
  runId: z.string(),
  userId: z.string(),
  campaignId: z.string(),
  campaignKey: z.string(),
  version: z.number().int(),
  branch: textOrNull,
  stepId: z.string(),
  channel: z.enum(CHANNELS),
  status: z.enum(MESSAGE_STATUSES),
  statusReason: textOrNull,
  engagement: z.enum(ENGAGEMENTS),
  provider: textOrNull,
  providerMessageId: textOrNull,
  attempts: z.number().int(),
  lastError: textOrNull,
  createdAt: instant,
  scheduledAt: instantOrNull,
  sentAt: instantOrNull,
  deliveredAt: instantOrNull,
  readAt: instantOrNull,
  openedAt: instantOrNull,
  clickedAt: instantOrNull,
  expiresAt: instantOrNull,
  isTest: z.boolean(),
}
export const DELIVERY_COLUMNS = Object.keys(recordFields)

/** For people, who know names; the export has no columns for them. */
const names = {
  campaignName: z.string(),
  userName: textOrNull,
  title: textOrNull.meta({
    description:
      'Of the message, or the subject of the mail; in lists the first 200 characters, of a mail without the queries of links.',
  }),
}

export const deliveryRecord = z.object({ ...recordFields, ...names }).meta({ id: 'DeliveryRecord' })
export type DeliveryRecordAnswer = z.output<typeof deliveryRecord>

const timelineEntry = z.object({
  eventType: z.enum(DELIVERY_EVENT_TYPES),
  at: instant,
  implied: z.boolean(),
  automated: z.boolean(),
  source: z.string(),
})

const attempt = z.object({
  at: instant,
  integration: textOrNull.meta({ description: 'Null: SMTP_URL or the mailbox, or nobody was asked.' }),
  provider: textOrNull,
  outcome: z
    .enum(['accepted', 'refused', 'unavailable', 'unknown', 'render-error'])
    .meta({ description: '`unknown` also while the answer is awaited, or was not recorded.' }),
  answer: textOrNull.meta({ description: 'Words of the provider, without secrets.' }),
})
export type AttemptAnswer = z.output<typeof attempt>

export const deliveryDetail = z
  .object({
    ...recordFields,
    ...names,
    snapshot: jsonObject<object>().meta({
      description: 'The content as rendered when the message was created.',
    }),
    event: z
      .object(rawEvent.shape)
      .nullable()
      .meta({ description: 'The tracked event that caused the message; null after retention has deleted it.' }),
    timeline: z.array(timelineEntry),
    attemptLog: z.array(attempt).meta({ description: 'The last 20 attempts to send a mail, oldest first.' }),
    nextAttemptAt: instantOrNull.meta({
      description: 'Of a mail that waits for a time: another attempt, or the end of quiet hours (`statusReason`).',
    }),
  })
  .meta({ id: 'DeliveryDetail' })
export type DeliveryDetailAnswer = z.output<typeof deliveryDetail>

/** An unknown id is no error and matches nothing. */
const idParam = z.string().max(1024).optional()

export const deliveriesFilter = z.object({
  campaignId: idParam,
  userId: idParam,
  channel: channelParam.optional(),
  status: z.enum(MESSAGE_STATUSES).optional(),
  statusReason: idParam,
  engagement: z.enum(ENGAGEMENTS).optional(),
  branch: idParam.meta({ description: 'As in the record; empty: messages before any branch.' }),
  window: z.enum(WINDOWS).optional(),
  from: instantParam.optional(),
  to: instantParam.optional(),
  messageId: idParam,
  correlationId: idParam,
  eventId: idParam,
})
export type DeliveriesFilter = z.output<typeof deliveriesFilter>

export const deliveriesQuery = deliveriesFilter.extend({ limit: limitParam, cursor: cursorParam })
export type DeliveriesQuery = z.output<typeof deliveriesQuery>
