// Sums the counts of steps of a batch in memory, and writes one upsert per key in sorted order.

import type { MessageStatus } from '../../../../contract/delivery.ts'
import {
  type CountedRun,
  countRun,
  firstKeptHour,
  reasonOfMessage,
  type StepCountKind,
} from '../../../domain/delivery/step-counts.ts'
import type { Columns } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { HOUR_MS } from './counters.ts'
import { sumTable } from './sum-table.ts'

/** The value of `hour` of what waits now. */
export const NOW_ROW = -1

const KEY: Columns = {
  environment_id: 'int',
  campaign_id: 'int',
  hour: 'int',
  version: 'int',
  step_id: 'text',
  kind: 'text',
  name: 'text',
}
/** The columns of a counter, except `slot`, as the primary key has them. */
export const STEP_KEY = Object.keys(KEY).join(', ')
const SUMS: Columns = { counted: 'int' }
const addToCounts = sumTable('step_count', KEY, SUMS)
const addToPurged = sumTable('step_purged', KEY, SUMS)

/** A counter of the table. */
export interface StepCounter {
  environmentId: number
  campaignId: number
  hour: number
  version: number
  stepId: string
  kind: StepCountKind
  name: string
  count: number
}

interface OfVersion {
  campaignId: number
  version: number
  isTest: boolean
}

/** A message with its step; its reason counts in the hour in which it was created. */
export interface StepMessage extends OfVersion {
  environmentId: number
  stepId: string
  createdAt: number
}

/** Counters by step and then by kind and name. */
interface CountedHour extends Pick<StepCounter, 'environmentId' | 'campaignId' | 'version' | 'hour'> {
  steps: Map<string, Map<string, Pick<StepCounter, 'kind' | 'name' | 'count'>>>
}

/** The sums of one batch. */
export interface StepTally {
  /** Adds what a run counts, or takes it back (-1). */
  countRun(environmentId: number, run: OfVersion & CountedRun, by: 1 | -1): void
  /** Adds why a message was held back or failed, if it was, or takes it back (-1). */
  countReason(message: StepMessage, status: MessageStatus, statusReason: string | null, by: 1 | -1): void
  write(context: WriteContext): Promise<void>
  /** Adds the sums of removed rows to the counts of purged ones. Such a run waits no longer. */
  writePurged(context: WriteContext): Promise<void>
}

/** Creates empty sums. Hours whose counters are no longer kept are left out. @param now Epoch ms */
export function createStepTally(now: number): StepTally {
  const hours = new Map<string, CountedHour>()
  const firstHour = firstKeptHour(now)
  let last: CountedHour | undefined

  /** Most counts of a batch belong to one hour of one version: the last one is found without its key. */
  function countersOf(environmentId: number, { campaignId, version }: OfVersion, hour: number): CountedHour {
    if (last?.campaignId === campaignId && last.version === version && last.hour === hour) return last
    const key = `${campaignId}:${version}:${hour}`
    last = hours.get(key) ?? { environmentId, campaignId, version, hour, steps: new Map() }
    hours.set(key, last)
    return last
  }

  function add(
    environmentId: number,
    of: OfVersion,
    by: 1 | -1,
    at: number | null,
    stepId: string,
    kind: StepCountKind,
    name: string,
  ): void {
    const hour = at === null ? NOW_ROW : Math.floor(at / HOUR_MS)
    if (at !== null && hour < firstHour) return
    const { steps } = countersOf(environmentId, of, hour)
    let counts = steps.get(stepId)
    if (counts === undefined) {
      counts = new Map()
      steps.set(stepId, counts)
    }
    const key = `${kind} ${name}`
    const found = counts.get(key)
    if (found === undefined) counts.set(key, { kind, name, count: by })
    else found.count += by
  }

  const listCounters = () =>
    [...hours.values()].flatMap(({ steps, ...of }) =>
      [...steps].flatMap(([stepId, counts]) =>
        [...counts.values()].map((count): StepCounter => ({ ...of, stepId, ...count })),
      ),
    )

  return {
    countRun(environmentId, run, by) {
      if (run.isTest) return
      countRun(run, (at, stepId, kind, name) => add(environmentId, run, by, at, stepId, kind, name))
    },
    countReason(message, status, statusReason, by) {
      const reason = message.isTest ? undefined : reasonOfMessage(status, statusReason)
      if (reason === undefined) return
      add(message.environmentId, message, by, message.createdAt, message.stepId, 'reason', reason)
    },
    write: (context) => addStepCounts(context, listCounters()),
    async writePurged(context) {
      const all = listCounters()
      await addStepsPurged(
        context,
        all.filter(({ hour }) => hour !== NOW_ROW),
      )
      const waited = all.filter(({ hour }) => hour === NOW_ROW)
      await addStepCounts(
        context,
        waited.map((counter) => ({ ...counter, count: -counter.count })),
      )
    },
  }
}

/** Adds counts, which may be negative. */
export const addStepCounts = (context: WriteContext, counters: StepCounter[]) => addToCounts(context, toRows(counters))

/** Adds to the counts of purged rows. */
export const addStepsPurged = (context: WriteContext, counters: StepCounter[]) => addToPurged(context, toRows(counters))

const toRows = (counters: StepCounter[]) =>
  counters
    .filter(({ count }) => count !== 0)
    .map((counter) => [
      counter.environmentId,
      counter.campaignId,
      counter.hour,
      counter.version,
      counter.stepId,
      counter.kind,
      counter.name,
      counter.count,
    ])
