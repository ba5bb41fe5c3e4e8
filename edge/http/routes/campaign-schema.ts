// Adds to the schemas of campaigns those of their definitions, which `campaign/definition.ts` declares.

import { z } from '@hono/zod-openapi'
import { z as plain, type ZodType } from 'zod'
import { campaign, campaignVersion, campaignWarnings } from '../../../contract/resources/campaign.ts'
import { definitionSchema, storedDefinitionSchema } from '../../campaign/definition.ts'
import type { HttpApp } from '../kernel/context.ts'

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

export const savedSchema = campaignSchema.extend({ warnings: campaignWarnings }).openapi('SavedCampaign')

export const versionSchema = z
  .object({ ...campaignVersion.shape, definition: storedDefinition })
  .openapi('CampaignVersion')
