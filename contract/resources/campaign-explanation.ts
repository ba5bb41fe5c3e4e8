// Describes why a user would get the messages of a campaign, or not: step by step, in sentences.

import { z } from 'zod'
import { CHANNELS } from '../delivery.ts'
import { jsonObject } from '../schemas.ts'
import { definition, sampleEvent } from './campaign-trial.ts'
import { userId } from './user.ts'

const textOrNull = z.string().nullable()

/** What is to be changed so that it goes on, or goes out. */
export const REMEDY_KINDS = [
  'trigger',
  'condition',
  'step',
  'publish',
  'resume',
  'user',
  'suppression',
  'preference',
  'category',
  'mail-account',
  'sandbox',
  'enricher',
] as const

export const remedy = z
  .object({
    kind: z.enum(REMEDY_KINDS),
    path: z.string().optional().meta({ description: 'Of the field of the definition.' }),
    stepId: z.string().optional(),
    userId: z.string().optional(),
    address: z.string().optional(),
    channel: z.enum(CHANNELS).optional(),
    category: z.string().optional(),
    enricher: z.string().optional(),
  })
  .meta({ id: 'Remedy', description: 'Where it is changed: of the definition its `path` or step, else what it names.' })
export type Remedy = z.output<typeof remedy>

export const explainRequest = z
  .object({
    userId,
    event: sampleEvent.optional(),
    eventId: z.string().max(100).optional().meta({ description: 'A tracked event, in place of `event`.' }),
    definition,
  })
  .refine(({ event, eventId }) => event === undefined || eventId === undefined, {
    path: ['eventId'],
    message: 'Give event or eventId, not both.',
  })
  .meta({ id: 'ExplainRequest' })
export type ExplainInput = z.output<typeof explainRequest>
export type ExplainRequest = z.input<typeof explainRequest>

const explainedStep = z.object({
  stepId: z.string(),
  type: z.string(),
  outcome: z.string(),
  reason: textOrNull,
  at: z.iso.datetime().meta({ description: 'When the step would be reached, if no event ends a wait before.' }),
  sentence: z.string(),
  remedy: remedy.optional(),
  inputs: jsonObject<Record<string, unknown>>().meta({ description: 'As in the trace of a run.' }),
})

export const explanation = z
  .object({
    matched: z.boolean(),
    reason: textOrNull,
    sentence: z.string().meta({ description: 'Whether the event begins a run for the user, and why not.' }),
    remedy: remedy.optional(),
    steps: z.array(explainedStep),
    doubts: z
      .array(z.object({ kind: z.string(), message: z.string(), remedy: remedy.optional() }))
      .meta({ description: 'What may make it otherwise, or cannot have been meant.' }),
  })
  .meta({ id: 'Explanation' })
export type ExplanationAnswer = z.output<typeof explanation>
export type ExplainedStep = z.output<typeof explainedStep>
