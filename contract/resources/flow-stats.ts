// Describes the numbers of a campaign's steps: runs, outcomes, ways, engagement, and what waits now.

import { z } from 'zod'

/** The windows in which steps are counted. */
export const FLOW_WINDOWS = ['24h', '7d', '30d'] as const
export type FlowWindow = (typeof FLOW_WINDOWS)[number]

const count = z.number().int()
const counts = z.record(z.string(), count)

export const flowStatsQuery = z.object({
  window: z.enum(FLOW_WINDOWS).default('7d'),
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'A number of a version.')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1, description: 'Default: the current version.' }),
})
export type FlowStatsQuery = z.output<typeof flowStatsQuery>

const stepStats = z
  .object({
    stepId: z.string(),
    type: z.string(),
    reached: count.meta({
      description: 'Runs that came to the step before they ended. One that is retried or resumed counts once.',
    }),
    waiting: count.meta({ description: 'Runs that wait at the step now, whatever the window.' }),
    outcomes: counts.meta({
      description:
        'By outcome of the trace: `done`, `taken`, `not-taken`, `skipped`, `failed`, `exited`; also of runs that ended before the step.',
    }),
    reasons: counts.meta({ description: 'Why runs or messages were held back or failed, by code.' }),
    ways: counts.meta({
      description:
        'Of a `branch`: by key of the branch. Of a `waitFor`: `taken` (`then`) and `not-taken` (`onTimeout`).',
    }),
    funnel: z
      .object({ delivery: count, read: count, opened: count, clicked: count })
      .nullable()
      .meta({ description: 'Messages of a step that sends; null for other steps.' }),
  })
  .meta({ id: 'FlowStepStats' })
export type FlowStepStats = z.output<typeof stepStats>

export const flowStats = z
  .object({
    campaignId: z.string(),
    version: count,
    window: z.enum(FLOW_WINDOWS),
    since: z.iso.datetime(),
    runs: z.object({
      started: count,
      waiting: count.meta({ description: 'Now, whatever the window.' }),
      completed: count,
      exited: count,
      failed: count,
      cancelled: count,
    }),
    steps: z.array(stepStats).meta({
      description: 'All steps of the version in their written order, inner steps after the step that has them.',
    }),
  })
  .meta({ id: 'FlowStats' })
export type FlowStatsAnswer = z.output<typeof flowStats>
