// Describes runs of campaigns: their traces, and the body that cancels them.

import { z } from 'zod'
import { jsonObject } from '../schemas.ts'
import { userId } from './user.ts'

const instant = z.iso.datetime()
const textOrNull = z.string().nullable()

export const runSummary = z
  .object({
    runId: z.string(),
    campaignId: z.string(),
    campaignKey: z.string(),
    campaignName: z.string(),
    version: z.number().int(),
    branch: textOrNull,
    userId: z.string(),
    userName: textOrNull,
    state: z.enum(['running', 'waiting', 'completed', 'exited', 'failed', 'cancelled']),
    stateReason: textOrNull,
  })
  .meta({ id: 'RunSummary' })
export type RunSummaryAnswer = z.output<typeof runSummary>

export const run = z
  .object({
    ...runSummary.shape,
    eventId: z.string(),
    correlationId: z.string(),
    isTest: z.boolean(),
    startedAt: instant,
    endedAt: instant.nullable(),
    messageIds: z.array(z.string()),
    steps: z.array(
      z.object({
        stepId: z.string(),
        type: z.string(),
        outcome: z.string(),
        reason: textOrNull,
        at: instant,
        durationMs: z.number(),
        inputs: jsonObject<Record<string, unknown>>().meta({
          description:
            'The values that decided the outcome, by type of step; long values are truncated, secrets omitted.',
        }),
      }),
    ),
  })
  .meta({ id: 'Run' })
export type RunAnswer = z.output<typeof run>

export const cancelRuns = z
  .object({
    campaignKey: z.string().min(1).max(128),
    userId,
    where: z.string().min(1).max(4096).optional().meta({
      format: 'cel',
      description:
        'CEL with `event` (which started the run), `user` and `enriched`: only runs for which it is true are cancelled.',
    }),
  })
  .meta({ id: 'CancelRuns' })

export const cancelledRuns = z
  .object({
    cancelled: z.number().int(),
    runIds: z.array(z.string()).meta({ description: 'The first 100.' }),
    failed: z.number().int().meta({ description: 'Runs for which `where` ended in an error: they still wait.' }),
    example: z.object({ runId: z.string(), reason: z.string() }).nullable().meta({ description: 'One of these.' }),
  })
  .meta({ id: 'CancelledRuns' })
