// Declares the schemas of campaigns and of the bodies of their actions.
// The schemas of definitions are in `campaign/definition.ts`.

import { z } from '@hono/zod-openapi'
import { z as plain, type ZodType } from 'zod'
import { WINDOWS } from '../../../contract/delivery.ts'
import { campaign, campaignVersion } from '../../../contract/management-schemas.ts'
import { channelParam, instant } from '../../../contract/resources/fields.ts'
import { triedDoubts } from '../../../contract/resources/tried-doubt.ts'
import { definitionSchema, storedDefinitionSchema } from '../../campaign/definition.ts'
import type { HttpApp } from '../context.ts'
import { jsonObjectSchema, userIdSchema } from '../track-schema.ts'

/** The schemas of definitions, with all types of steps, as components of the API reference. */
const COMPONENTS = toComponents([
  definitionSchema,
  // Without a key, the draft keeps its key.
  definitionSchema.partial({ key: true }).meta({ id: 'CampaignDraft' }),
  storedDefinitionSchema,
])

function toComponents(schemas: ZodType[]): Record<string, { type: 'object' }> {
  const { $defs } = plain.toJSONSchema(plain.tuple(schemas as [ZodType]), {
    io: 'input',
    unrepresentable: 'any',
    // Code generators would treat a field with a default as always present.
    override: ({ jsonSchema }) => delete jsonSchema.default,
  })
  return JSON.parse(JSON.stringify($defs).replaceAll('#/$defs/', '#/components/schemas/'))
}

/** Components that Hono registers itself, because a route refers to them. */
const REFERENCED = new Set<string>()

function referTo(name: string) {
  REFERENCED.add(name)
  return z.custom<object>((value) => value !== undefined).openapi(name, COMPONENTS[name] ?? { type: 'object' })
}

/** Adds the components to which only definitions refer. */
export function registerComponents({ openAPIRegistry: registry }: HttpApp): void {
  for (const [name, schema] of Object.entries(COMPONENTS)) {
    if (!REFERENCED.has(name)) registry.registerComponent('schemas', name, schema)
  }
}

/** The body of a new campaign. */
export const newDefinition = referTo('CampaignDefinition')
/** The body of a changed draft; without a key, the draft keeps its key. */
export const newDraft = referTo('CampaignDraft')
const storedDefinition = referTo('StoredCampaignDefinition')

export const campaignSchema = z.object({ ...campaign.shape, draft: storedDefinition }).openapi('Campaign')

export const versionSchema = z
  .object({ ...campaignVersion.shape, definition: storedDefinition })
  .openapi('CampaignVersion')

/** The event of a preview, test or dry run, for templates and conditions. */
const sampleEventSchema = z
  .object({
    name: z.string().optional(),
    properties: jsonObjectSchema.optional(),
    occurredAt: instant.optional(),
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
    doubts: triedDoubts,
  })
  .openapi('DryRun')

export const testAnswerSchema = z.object({
  messageIds: z.array(z.string()),
  messages: z
    .array(
      z.object({
        messageId: z.string(),
        stepId: z.string(),
        status: z.string(),
        statusReason: z.string().nullable(),
      }),
    )
    .openapi({ description: '`delivered` in the inbox, or `queued` for mail; else why it was not sent.' }),
  doubts: triedDoubts,
})

/** In any case (`query.ts`). */
export const statsQuerySchema = z.object({
  window: z.enum(WINDOWS).default('all'),
  channel: channelParam.default('inbox'),
})
