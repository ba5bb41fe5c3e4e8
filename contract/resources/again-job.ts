// Describes the job that sends or runs again all messages, runs or events of a filter.

import { z } from 'zod'
import { AGAIN_FROM, AGAIN_KINDS, AGAIN_PACE, AGAIN_VERSIONS, UNSENT_STATUSES } from '../again.ts'
import { pageOf } from '../schemas.ts'
import { deliveriesFilter } from './delivery.ts'
import { trackedEventsQuery } from './tracked-event.ts'

const count = z.number().int()

const settings = {
  version: z.enum(AGAIN_VERSIONS).default('now'),
  from: z.enum(AGAIN_FROM).default('failed-step').meta({ description: 'Of runs.' }),
  pace: count
    .min(AGAIN_PACE.least)
    .max(AGAIN_PACE.most)
    .default(AGAIN_PACE.usual)
    .meta({ description: 'Items a minute.' }),
  dryRun: z.boolean().default(false).meta({ description: 'Only counts the items.' }),
}

// A field that is not known would be one filter less, and more would be sent.
const deliveries = z.strictObject(deliveriesFilter.shape)
const events = z.strictObject(trackedEventsQuery.omit({ limit: true, cursor: true }).shape)

export const againJobRequest = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('messages'),
      filter: deliveries
        .extend({ status: z.enum(UNSENT_STATUSES) })
        .meta({ description: 'As the history has it. `status` says which messages were not sent.' }),
      ...settings,
    }),
    z.object({
      kind: z.literal('runs'),
      filter: deliveries
        .extend({ status: z.enum(['failed', 'cancelled']) })
        .meta({ description: 'As the history has it: the runs of these messages, each once.' }),
      ...settings,
    }),
    z.object({
      kind: z.literal('events'),
      filter: events.meta({ description: 'As the list of events has it.' }),
      ...settings,
    }),
  ])
  .meta({ id: 'AgainRequest' })
export type AgainJobRequest = z.output<typeof againJobRequest>
/** As it is sent. */
export type AgainJobInput = z.input<typeof againJobRequest>

export const againJob = z
  .object({
    jobId: z.string(),
    kind: z.enum(AGAIN_KINDS),
    state: z
      .enum(['running', 'stopped', 'done', 'failed'])
      .meta({ description: '`failed`: it was given up, and goes on when it is run again from there.' }),
    version: z.enum(AGAIN_VERSIONS),
    from: z.enum(AGAIN_FROM),
    pace: count,
    total: count.meta({ description: 'How many there were when it began; of runs, their messages.' }),
    done: count,
    made: count.meta({ description: 'New runs or events; what is held back again has its record in the history.' }),
    refused: count.meta({ description: 'What cannot run again, such as that of a campaign that is paused.' }),
    by: z.string(),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AgainJob' })
export type AgainJobAnswer = z.output<typeof againJob>

export const begunAgain = z
  .object({
    count,
    job: againJob.nullable().meta({ description: 'Null of a dry run, and where there is nothing to do.' }),
  })
  .meta({ id: 'BegunAgain' })
export type BegunAgainAnswer = z.output<typeof begunAgain>

export const againJobPage = pageOf(againJob).meta({ id: 'AgainJobPage' })
