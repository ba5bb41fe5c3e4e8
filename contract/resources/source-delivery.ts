// Describes the deliveries to a source: what became of each, and their runs with the mappings of today.

import { z } from 'zod'
import { AGAIN_PACE } from '../again.ts'
import { pageOf } from '../schemas.ts'
import { DELIVERY_OUTCOMES } from '../tenant.ts'
import { instant } from './fields.ts'

const count = z.number().int()
const deliveryOutcome = z.enum(DELIVERY_OUTCOMES)

export const sourceRun = z
  .object({
    state: z
      .enum(['running', 'stopped', 'done', 'failed'])
      .meta({ description: '`failed`: it was given up, and goes on when it is run again from there.' }),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    outcome: deliveryOutcome.nullable().meta({ description: 'Deliveries of this outcome alone; null: all.' }),
    deliveries: count.meta({ description: 'How many it has.' }),
    pace: count.nullable().meta({ description: 'Bodies a minute; null: as many as there is time for.' }),
    done: count,
    accepted: count.meta({ description: 'New events.' }),
    refused: count,
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SourceRun', description: 'The last run of kept deliveries.' })

const delivery = z.object({
  at: z.iso.datetime(),
  deliveryId: z.string().nullable(),
  type: z.string().nullable(),
  outcome: deliveryOutcome,
  eventId: z.string().nullable(),
  reason: z.string().nullable(),
})
export const sourceDeliveries = pageOf(delivery).meta({ id: 'SourceDeliveries' })
export const sourceDelivery = z
  .object({
    ...delivery.shape,
    body: z.string().nullable().meta({ description: 'As it came, for 7 days; then null.' }),
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'By lower-case name, without credentials; kept as long as the body.' }),
  })
  .meta({ id: 'SourceDelivery' })

export const deliveryRange = z
  .object({
    from: instant,
    to: instant,
    outcome: deliveryOutcome.optional(),
    dryRun: z.boolean().optional().meta({ description: 'Only counts the deliveries.' }),
    pace: count
      .min(AGAIN_PACE.least)
      .max(AGAIN_PACE.most)
      .optional()
      .meta({ description: 'Bodies a minute; absent: as many as there is time for.' }),
  })
  .meta({ id: 'RunDeliveries' })

export const runDeliveryAnswer = z
  .object({
    accepted: count.meta({ description: 'New events; repeats are not counted.' }),
    outcome: deliveryOutcome.meta({ description: 'What this run did; `duplicate`: it made the event before.' }),
    eventId: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'RunDeliveryAnswer' })
export const runDeliveriesAnswer = z
  .object({ accepted: count.meta({ description: 'Deliveries that will be run.' }) })
  .meta({ id: 'RunDeliveriesAnswer' })

export const stoppedRun = z.object({ stopped: z.literal(true) }).meta({ id: 'StoppedRun' })

export type SourceRunAnswer = z.output<typeof sourceRun>
export type SourceDeliveryAnswer = z.output<typeof delivery>
export type KeptDeliveryAnswer = z.output<typeof sourceDelivery>
/** As it is sent. */
export type DeliveryRangeInput = z.input<typeof deliveryRange>
export type DeliveryRange = z.output<typeof deliveryRange>
export type RunDeliveryAnswer = z.output<typeof runDeliveryAnswer>
export type RunDeliveriesAnswer = z.output<typeof runDeliveriesAnswer>
