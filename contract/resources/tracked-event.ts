// Describes tracked events as the history shows them.

import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { jsonObject } from '../schemas.ts'
import { instantParam } from './fields.ts'
import { cursorParam, limitParam } from './page.ts'
import { runSummary } from './run.ts'

const instant = z.iso.datetime()
const textOrNull = z.string().nullable()

/** A tracked event, in the answers about an event and about a message. */
export const rawEvent = z.object({
  eventId: z.string(),
  name: z.string(),
  userId: textOrNull,
  userIds: z.array(z.string()).nullable(),
  topic: textOrNull,
  properties: jsonObject<Record<string, unknown>>(),
  raw: jsonObject<Record<string, unknown>>().meta({
    description: 'What was sent besides: `user` and `idempotencyKey` where the event had them, and unknown fields.',
  }),
  source: z.string(),
  occurredAt: instant,
  receivedAt: instant,
})
export type RawEventAnswer = z.output<typeof rawEvent>

export const trackedEvent = z
  .object({
    ...rawEvent.shape,
    userName: textOrNull,
    correlationId: z.string(),
    outcome: z.enum(['matched', 'unmatched', 'no-user', 'fanned-out']),
    considered: z
      .array(
        z.object({
          campaignId: z.string(),
          campaignKey: z.string(),
          campaignName: textOrNull,
          outcome: z.enum(['run', 'paused', 'condition-false', 'condition-error', 'failed']),
          reason: textOrNull,
          inputs: jsonObject<Record<string, unknown>>().optional(),
        }),
      )
      .meta({ description: 'Campaigns with this event name, and why one started no run.' }),
    runs: z.array(runSummary).meta({ description: 'The first 20.' }),
    messageIds: z.array(z.string()).meta({ description: 'The first 20.' }),
  })
  .meta({ id: 'TrackedEvent' })
export type TrackedEventAnswer = z.output<typeof trackedEvent>

export const trackedEventsQuery = z.object({
  name: z.string().max(512).optional(),
  userId: z.string().max(1024).optional(),
  correlationId: z.string().max(LIMITS.correlationIdChars).optional(),
  from: instantParam.optional(),
  to: instantParam.optional(),
  limit: limitParam,
  cursor: cursorParam,
})
export type TrackedEventsQuery = z.output<typeof trackedEventsQuery>
