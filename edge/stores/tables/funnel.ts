// Describes the tables of counters, of funnels and of steps.

import type { StepCountKind } from '../../domain/delivery/step-counts.ts'
import { integer, table, text, textOf } from './table.ts'

const counters = {
  environmentId: integer(),
  campaignId: integer(),
  channel: text(),
  /** Epoch hour of the delivery, or the number of a day or of all time (`commit/counters.ts`). */
  hour: integer(),
  version: integer(),
  /** `''` for none. */
  branch: text(),
  stepId: text(),
  /** The node that counts. */
  slot: integer(),
  deliveries: integer(),
  reads: integer(),
  opens: integer(),
  clicks: integer(),
}

export const FUNNEL = table('funnel', counters)

/** Has the counts of purged messages, by hour: with the stored messages they must give the counters. */
export const FUNNEL_PURGED = table('funnel_purged', counters)

const stepCounts = {
  environmentId: integer(),
  campaignId: integer(),
  /** Epoch hour, or -1 for what waits now. */
  hour: integer(),
  version: integer(),
  /** `''` for runs. */
  stepId: text(),
  kind: textOf<StepCountKind>(),
  name: text(),
  /** The node that counts. */
  slot: integer(),
  count: integer('counted'),
}

export const STEP_COUNT = table('step_count', stepCounts)

/** Has the counts of purged runs and messages: with the stored ones they must give the counters. */
export const STEP_PURGED = table('step_purged', stepCounts)
