// Describes the tables of funnel counters.

import { integer, table, text } from './table.ts'

const counters = {
  environmentId: integer(),
  campaignId: integer(),
  channel: text(),
  /** Epoch hour of the delivery, or the number of a day or of all time (`commit/counters.ts`). */
  hour: integer(),
  version: integer(),
  /** `''` for none. */
  branch: text(),
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
