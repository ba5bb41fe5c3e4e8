// Sums the funnel counters of a batch in memory, and writes one upsert per key in sorted order.

import type { FunnelStepName } from '../../../../contract/delivery.ts'
import type { FunnelCounts } from '../../../domain/delivery/funnel.ts'
import type { Columns } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { sumTable } from './sum-table.ts'

export const HOUR_MS = 3_600_000
/** The value of `hour` in the row that counts all time. */
export const ALL_TIME = -1
const HOURS_A_DAY = 24
/** @returns The value of `hour` in the row of a day (UTC): -2 for day 0, then falling. Long windows read few rows. */
export const dayRow = (day: number) => -2 - day
/** @returns The day of such a row. */
export const dayOfRow = (row: number) => -2 - row
/** @returns The first epoch hour of a day. */
export const firstHourOf = (day: number) => day * HOURS_A_DAY
/** @returns The values of `hour` of the rows that count a message: the epoch hour, its day and all time. */
export const rowsOf = (hour: number) => [hour, dayRow(Math.floor(hour / HOURS_A_DAY)), ALL_TIME]

/** The fields of a message that select its counters; the hour is that of its delivery. */
export interface Counted {
  environmentId: number
  campaignId: number
  channel: string
  version: number
  branch: string | null
  stepId: string
}

const KEY: Columns = {
  environment_id: 'int',
  campaign_id: 'int',
  channel: 'text',
  hour: 'int',
  version: 'int',
  branch: 'text',
  step_id: 'text',
}
const SUMS: Columns = { deliveries: 'int', reads: 'int', opens: 'int', clicks: 'int' }
const addToCounts = sumTable('funnel', KEY, SUMS)
const addToPurged = sumTable('funnel_purged', KEY, SUMS)

interface CounterKey {
  environmentId: number
  campaignId: number
  channel: string
  hour: number
  version: number
  branch: string
  stepId: string
}
export interface Counter extends CounterKey, FunnelCounts {}

/** The sums of one batch. */
export interface Tally {
  /** @param by Default 1; -1 takes a count back. */
  count(message: Counted, deliveredAt: number, step: FunnelStepName, by?: 1 | -1): void
  /** Adds the sums to the rows of the hour, of its day and of all time. */
  write(context: WriteContext): Promise<void>
  /** Adds the sums to the counts of purged messages. */
  writePurged(context: WriteContext): Promise<void>
}

/** Creates empty sums. */
export function createTally(): Tally {
  const counters = new Map<string, Counter>()

  function counter(message: Counted, hour: number): Counter {
    const branch = message.branch ?? ''
    const key = `${message.campaignId}:${message.channel}:${hour}:${message.version}:${branch}:${message.stepId}`
    let found = counters.get(key)
    if (found === undefined) {
      const { environmentId, campaignId, channel, version, stepId } = message
      const counts = { delivery: 0, read: 0, opened: 0, clicked: 0 }
      found = { environmentId, campaignId, channel, hour, version, branch, stepId, ...counts }
      counters.set(key, found)
    }
    return found
  }

  return {
    count(message, deliveredAt, step, by = 1) {
      for (const row of rowsOf(Math.floor(deliveredAt / HOUR_MS))) counter(message, row)[step] += by
    },
    write: (context) => addCounts(context, [...counters.values()]),
    writePurged: (context) =>
      addPurged(
        context,
        [...counters.values()].filter((found) => found.hour >= 0),
      ),
  }
}

/** Adds counts, which may be negative. */
export const addCounts = (context: WriteContext, counters: Counter[]) => addToCounts(context, counters.map(toRow))

/** Adds to the counts of purged messages. */
export const addPurged = (context: WriteContext, counters: Counter[]) => addToPurged(context, counters.map(toRow))

const toRow = (counter: Counter) => [
  counter.environmentId,
  counter.campaignId,
  counter.channel,
  counter.hour,
  counter.version,
  counter.branch,
  counter.stepId,
  counter.delivery,
  counter.read,
  counter.opened,
  counter.clicked,
]
