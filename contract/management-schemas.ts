// Declares the schemas of what the management routes answer about deliveries, events, runs and campaigns. Their types are
// also those of the dashboard, which imports no zod.

import { z } from 'zod'
import { CAMPAIGN_STATUSES } from './campaign-status.ts'
import { CHANNELS, DELIVERY_EVENT_TYPES, ENGAGEMENTS, MESSAGE_STATUSES } from './delivery.ts'
import { DOUBT_KINDS, DOUBT_SUBJECTS } from './doubt.ts'
import { jsonObject, rawEvent } from './schemas.ts'

const instant = z.iso.datetime()
const instantOrNull = instant.nullable()
const textOrNull = z.string().nullable()
const integer = z.number().int()
const anyObject = jsonObject<Record<string, unknown>>()

/** The fields of a delivery record, in the order of the columns of the export. */
const recordFields = {
  messageId: z.string(),
  correlationId: z.string(),
  eventId: z.string(),
  runId: z.string(),
  userId: z.string(),
  campaignId: z.string(),
  campaignKey: z.string(),
  version: integer,
  branch: textOrNull,
  stepId: z.string(),
  channel: z.enum(CHANNELS),
  status: z.enum(MESSAGE_STATUSES),
  statusReason: textOrNull,
  engagement: z.enum(ENGAGEMENTS),
  provider: textOrNull,
  providerMessageId: textOrNull,
  attempts: integer,
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

export const deliveryRecord = z.object(recordFields).meta({ id: 'DeliveryRecord' })
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
    snapshot: anyObject.meta({ description: 'The content as rendered when the message was created.' }),
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

export const runSummary = z
  .object({
    runId: z.string(),
    campaignId: z.string(),
    campaignKey: z.string(),
    version: integer,
    branch: textOrNull,
    userId: z.string(),
    state: z.enum(['running', 'waiting', 'completed', 'exited', 'failed', 'cancelled']),
    stateReason: textOrNull,
  })
  .meta({ id: 'RunSummary' })
export type RunSummaryAnswer = z.output<typeof runSummary>

export const trackedEvent = z
  .object({
    ...rawEvent.shape,
    correlationId: z.string(),
    outcome: z.enum(['matched', 'unmatched', 'no-user', 'fanned-out']),
    considered: z
      .array(
        z.object({
          campaignId: z.string(),
          campaignKey: z.string(),
          outcome: z.enum(['run', 'paused', 'condition-false', 'condition-error', 'failed']),
          reason: textOrNull,
          inputs: anyObject.optional(),
        }),
      )
      .meta({ description: 'Campaigns with this event name, and why one started no run.' }),
    runs: z.array(runSummary).meta({ description: 'The first 20.' }),
    messageIds: z.array(z.string()).meta({ description: 'The first 20.' }),
  })
  .meta({ id: 'TrackedEvent' })
export type TrackedEventAnswer = z.output<typeof trackedEvent>

export const run = z
  .object({
    ...runSummary.shape,
    eventId: z.string(),
    correlationId: z.string(),
    isTest: z.boolean(),
    startedAt: instant,
    endedAt: instantOrNull,
    messageIds: z.array(z.string()),
    steps: z.array(
      z.object({
        stepId: z.string(),
        type: z.string(),
        outcome: z.string(),
        reason: textOrNull,
        at: instant,
        durationMs: z.number(),
        inputs: anyObject.meta({
          description:
            'The values that decided the outcome, by type of step; long values are truncated, secrets omitted.',
        }),
      }),
    ),
  })
  .meta({ id: 'Run' })
export type RunAnswer = z.output<typeof run>

/** The routes describe `draft` and `definition` with all types of steps (edge/http/management/campaign-schema.ts). */
export const campaign = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  category: textOrNull,
  status: z.enum(CAMPAIGN_STATUSES),
  currentVersion: integer.nullable(),
  draft: anyObject,
  revision: integer.meta({ description: 'Rises with each change. The ETag is this number in quotes, for `If-Match`.' }),
  createdAt: instant,
  updatedAt: instant,
})
export type CampaignAnswer = z.output<typeof campaign>

/** Campaigns of an environment by status. */
export const campaignCounts = z
  .object({ total: integer, draft: integer, active: integer, paused: integer, archived: integer })
  .meta({ id: 'CampaignCounts' })
export type CampaignCountsAnswer = z.output<typeof campaignCounts>

export const campaignVersion = z.object({ version: integer, publishedAt: instant, definition: anyObject })
export type CampaignVersionAnswer = z.output<typeof campaignVersion>

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

/** A run, job or mail that the server gave up. */
export const givenUpAnswer = z
  .object({
    id: z.string().meta({ description: 'Of the run, the job, or the message of the mail.', example: 'run_…' }),
    kind: z.enum(['run', 'job', 'mail']),
    environmentId: z.string(),
    givenUpAt: z.string(),
    reason: z.string(),
    what: z.string().meta({ description: 'The step of a run or a mail, the kind of a job.' }),
    campaignId: z.string().nullable(),
    campaignKey: z.string().nullable(),
    userId: z.string().nullable(),
  })
  .meta({ id: 'GivenUp' })
export type GivenUpAnswer = z.infer<typeof givenUpAnswer>

/** What was accepted and cannot have been meant. */
export const doubtAnswer = z
  .object({
    id: z.string().meta({ example: 'dbt_…' }),
    kind: z.enum(DOUBT_KINDS),
    subject: z
      .object({ type: z.enum(DOUBT_SUBJECTS), id: z.string() })
      .meta({ description: 'A layout has the id of its notification config, an event its name.' }),
    message: z.string(),
    count: integer,
    firstAt: instant,
    lastAt: instant,
    example: textOrNull.meta({ description: "A value's path and kind, or a short value; the newest." }),
  })
  .meta({ id: 'Doubt' })
export type DoubtAnswer = z.output<typeof doubtAnswer>
