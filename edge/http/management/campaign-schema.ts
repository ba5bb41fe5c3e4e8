// The shapes of campaigns for the reference, and the bodies of their actions (contract section 6). Definitions themselves are read by
// `domain/campaign-definition.ts`, which tells all faults with path and position.

import { z } from '@hono/zod-openapi'
import { CHANNELS, FUNNEL_STEPS, PRIORITIES, WINDOWS } from '../../../contract/delivery.ts'
import { instantSchema, jsonObjectSchema, userIdSchema } from '../track-schema.ts'

const stepSchema = z
  .object({ id: z.string(), type: z.enum(['inbox', 'email', 'branch', 'exit']) })
  .openapi('Step', { description: 'With the fields of its type.', additionalProperties: true })

export const definitionSchema = z
  .object({
    key: z.string(),
    name: z.string(),
    category: z.string().nullable().optional(),
    notificationConfigId: z.string().nullable().optional(),
    maxLateness: z.string().optional().openapi({ description: 'ISO 8601 duration; default PT24H.' }),
    trigger: z.object({
      event: z.string(),
      where: z.string().optional().openapi({ description: 'CEL over `event` and `user`.' }),
    }),
    steps: z.array(stepSchema).min(1),
  })
  .openapi('CampaignDefinition')

export const campaignSchema = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    category: z.string().nullable(),
    status: z.enum(['draft', 'active', 'paused', 'archived']),
    currentVersion: z.number().int().nullable(),
    draft: definitionSchema,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('Campaign')

export const versionSchema = z
  .object({ version: z.number().int(), publishedAt: z.iso.datetime(), definition: definitionSchema })
  .openapi('CampaignVersion')

/** The event of a preview, test or dry run: what templates and conditions see. */
const sampleEventSchema = z
  .object({
    name: z.string().optional(),
    properties: jsonObjectSchema.optional(),
    occurredAt: instantSchema.optional(),
    userId: userIdSchema.optional(),
  })
  .openapi('SampleEvent')

const sampleUserSchema = z
  .object({
    id: z.string().optional(),
    email: z.string().nullable().optional(),
    name: z.string().nullable().optional(),
    locale: z.string().nullable().optional(),
    timeZone: z.string().nullable().optional(),
    attributes: jsonObjectSchema.optional(),
  })
  .openapi('SampleUser')

export const previewBodySchema = z
  .object({
    stepId: z.string(),
    event: sampleEventSchema.optional(),
    user: sampleUserSchema.optional(),
    enriched: jsonObjectSchema.optional(),
  })
  .openapi('PreviewRequest')

export const dryRunBodySchema = z
  .object({ event: sampleEventSchema.optional(), user: sampleUserSchema.optional() })
  .openapi('DryRunRequest')

export const testBodySchema = z
  .object({ userId: userIdSchema, event: sampleEventSchema.optional() })
  .openapi('TestRequest')

export const previewAnswerSchema = z
  .object({
    title: z.string(),
    body: z.string(),
    bodyFormat: z.enum(['text', 'markdown']),
    link: z.string().nullable(),
    actions: z.array(z.object({ label: z.string(), link: z.string().nullable(), style: z.string() })),
    category: z.string().nullable(),
    entity: z.string().nullable(),
    icon: z.string().nullable(),
    imageUrl: z.string().nullable(),
    priority: z.enum(PRIORITIES),
    data: jsonObjectSchema,
    email: z
      .object({
        subject: z.string(),
        preheader: z.string().nullable(),
        html: z.string().nullable(),
        markdown: z.string().nullable(),
        text: z.string().nullable(),
      })
      .optional()
      .openapi({ description: 'Of an email step: the parts of the mail.' }),
  })
  .openapi('MessageContent')

export const dryRunAnswerSchema = z
  .object({
    matched: z.boolean(),
    reason: z.string().nullable(),
    steps: z.array(
      z.object({
        stepId: z.string(),
        type: z.string(),
        outcome: z.string(),
        reason: z.string().nullable(),
        inputs: jsonObjectSchema.openapi({ description: 'As in the trace of a run.' }),
      }),
    ),
  })
  .openapi('DryRun')

/** `nc` is another word for `inbox` (specification sections 2.4 and 2.5). */
export const channelParam = z.enum([...CHANNELS, 'nc']).transform((channel) => (channel === 'nc' ? 'inbox' : channel))

export const statsQuerySchema = z.object({
  window: z.enum(WINDOWS).default('all'),
  channel: channelParam.default('inbox'),
})

const funnelStepSchema = z
  .object({ step: z.enum(FUNNEL_STEPS), count: z.number().int(), percentOfPrevious: z.number().nullable() })
  .openapi('FunnelStep')

export const funnelSchema = z
  .object({
    window: z.enum(WINDOWS),
    channel: z.enum(CHANNELS),
    steps: z.array(funnelStepSchema),
    branches: z
      .array(z.object({ version: z.number().int(), branch: z.string().nullable(), steps: z.array(funnelStepSchema) }))
      .optional(),
  })
  .openapi('Funnel')
