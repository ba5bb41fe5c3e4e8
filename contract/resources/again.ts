// Describes what is sent or run again: a message, an event, a run.

import { z } from 'zod'
import { AGAIN_FROM, AGAIN_VERSIONS } from '../again.ts'
import { MESSAGE_STATUSES } from '../delivery.ts'
import { LIMITS } from '../limits.ts'
import { runSummary } from './run.ts'
import { userId } from './user.ts'

const idempotencyKey = z
  .string()
  .min(1)
  .max(LIMITS.idempotencyKeyChars)
  .optional()
  .meta({ description: 'A repeat with the same key answers the same, and does nothing more.' })
const version = z
  .enum(AGAIN_VERSIONS)
  .default('now')
  .meta({ description: 'The version of the campaign: `now` the published one, `then` that of the former run.' })

export const sendAgainRequest = z.object({ version, idempotencyKey }).meta({ id: 'SendAgain' })
export const sendToMeRequest = z.object({ version, userId }).meta({ id: 'SendToMe' })
export const runAgainRequest = z
  .object({
    from: z.enum(AGAIN_FROM).default('failed-step').meta({
      description: '`failed-step`: what was sent before that step is not sent again; enrichers are asked again.',
    }),
    version,
    idempotencyKey,
  })
  .meta({ id: 'RunRunAgain' })
export const eventAgainRequest = z.object({ idempotencyKey }).meta({ id: 'RunEventAgain' })

export const againAnswer = z
  .object({
    runId: z.string().meta({ description: 'Of the new run.' }),
    duplicate: z.boolean().meta({ description: 'An earlier call with this key made it.' }),
    state: runSummary.shape.state.meta({ description: '`waiting`: it goes on by itself.' }),
    stateReason: z.string().nullable(),
    messages: z
      .array(
        z.object({
          messageId: z.string(),
          stepId: z.string(),
          status: z.enum(MESSAGE_STATUSES),
          statusReason: z
            .string()
            .nullable()
            .meta({ description: 'Why it is held back again, such as a suppression that still holds.' }),
        }),
      )
      .meta({ description: 'The messages so far.' }),
  })
  .meta({ id: 'Again' })
export type AgainAnswer = z.output<typeof againAnswer>

export const eventAgainAnswer = z
  .object({ eventId: z.string().meta({ description: 'Of the new event.' }), duplicate: z.boolean() })
  .meta({ id: 'EventAgain' })
export type EventAgainAnswer = z.output<typeof eventAgainAnswer>

export type SendAgainRequest = z.output<typeof sendAgainRequest>
export type SendToMeRequest = z.output<typeof sendToMeRequest>
export type RunAgainRequest = z.output<typeof runAgainRequest>
export type EventAgainRequest = z.output<typeof eventAgainRequest>
