// Describes a source: an address at which a platform delivers what becomes tracked events.

import { z } from 'zod'
import { LARGE_BODIES } from '../limits.ts'
import { jsonObject, pageOf } from '../schemas.ts'
import { CONNECTOR_PLATFORMS } from '../tenant.ts'
import { BESIDE_FAULTS, nameField } from './fields.ts'
import { hmacSettings } from './hmac-settings.ts'
import { sourceRun } from './source-delivery.ts'
import { newMappings, sourceMapping } from './source-mapping.ts'
import { secretOfPlatform } from './source-secret.ts'

export const HMAC_ALONE = 'Only a source of the provider hmac has settings.'

const instant = z.iso.datetime().nullable()
const count = z.number().int()
const provider = z.enum(CONNECTOR_PLATFORMS)

const settingFields = {
  settings: hmacSettings.optional(),
  name: nameField,
  mappings: newMappings.optional().meta({ description: 'Of a new source, by default: those of the platform.' }),
  requireV3: z.boolean().optional().meta({ description: 'HubSpot: refuse the former signatures. On in a new source.' }),
  allowUnsignedBatchTail: z
    .boolean()
    .optional()
    .meta({ description: 'Segment: take the items of a batch that its signature does not cover.' }),
}

export const newSource = z
  .object({ ...settingFields, provider, verificationSecret: secretOfPlatform.optional() })
  .superRefine(({ provider, settings }, context) => {
    const [isHmac, given] = [provider === 'hmac', settings as unknown]
    if (given === null || isHmac === (given !== undefined)) return
    context.addIssue({ code: 'custom', path: ['settings'], message: isHmac ? 'This is missing.' : HMAC_ALONE })
  }, BESIDE_FAULTS)
  .meta({ id: 'NewSource' })

export const sourceChange = z
  .object({
    ...settingFields,
    settings: hmacSettings
      .nullable()
      .optional()
      .meta({ description: 'Null, as it is answered, where the platform has none.' }),
    name: settingFields.name.optional(),
    provider: provider.optional().meta({ description: 'As it is: the platform of a source cannot change.' }),
    // The verification goes on with the former secret, so nothing may look as if it were replaced.
    verificationSecret: z
      .never('A secret is replaced by rotate or emergency of the source.')
      .optional()
      .meta({ type: 'string', not: {}, description: 'Refused: rotate and emergency replace a secret.' }),
  })
  .meta({ id: 'SourceChange', description: 'Absent fields stay.' })

const sourceFields = {
  id: z.string(),
  name: z.string(),
  provider,
  status: z.enum(['active', 'paused']),
  url: z.string().meta({ format: 'uri', description: 'The address that the platform calls.' }),
  mappings: z.array(sourceMapping),
  requireV3: z.boolean(),
  allowUnsignedBatchTail: z.boolean(),
  settings: hmacSettings.nullable(),
  secret: z.object({
    state: z.enum(['single', 'overlap']),
    createdAt: z.iso.datetime(),
    retiresAt: instant.meta({ description: 'The end of the old value of an overlap.' }),
    lastUsedAt: instant,
    oldLastUsedAt: instant.meta({ description: 'Of an overlap: when the old value was last used.' }),
  }),
  lastReceivedAt: instant.meta({ description: 'Of the last delivery with a valid signature.' }),
  lastErrorAt: instant.meta({ description: 'Of the last item that was refused or unreadable.' }),
  lastError: z.string().nullable(),
  counts: z.object({
    accepted: count,
    duplicates: count,
    refused: count,
    unreadable: count,
    dropped: count.meta({ description: 'Items that arrived during a pause.' }),
  }),
  /** The last one. */
  run: sourceRun.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  revision: z.number().int(),
}
export const source = z.object(sourceFields).meta({ id: 'Source' })
export const createdSource = z
  .object({ ...sourceFields, verificationSecret: z.string().meta({ description: 'Shown this once.' }) })
  .meta({ id: 'CreatedSource' })
export const sourceList = pageOf(source).meta({ id: 'SourceList' })

/** A pasted request is JSON text in JSON. */
export const MAX_PASTED_CHARS = 2 * LARGE_BODIES.deliveryBytes
export const signatureTrial = z
  .object({
    request: z.string().min(1).max(MAX_PASTED_CHARS).meta({
      description: 'A request line if there is one, headers, an empty line, the body as it came.',
      example: 'X-Signature: 5d41…\n\n{"id":"1","type":"order.created"}',
    }),
    settings: hmacSettings.optional(),
  })
  .meta({ id: 'SignatureTrial', description: 'Settings may be some that are not saved yet. Default: those saved.' })
export const signatureTrialAnswer = z
  .object({
    ok: z.boolean().meta({ description: 'Whether it would be taken, were it delivered now.' }),
    reason: z.string().nullable(),
    matches: z.boolean().meta({ description: 'Whether a signature is the expected one, whatever its time is.' }),
    expected: z.string().nullable().meta({ description: 'Null where the request lacks the time or the id.' }),
    received: z.array(z.string()),
    signedString: z.string().nullable().meta({ description: 'What is signed, up to 65,536 characters.' }),
    timestamp: z.string().nullable(),
  })
  .meta({ id: 'SignatureTrialAnswer' })

export const sourceTrial = z
  .object({
    provider,
    mappings: settingFields.mappings,
    payload: z
      .unknown()
      .optional()
      .meta({ type: ['object', 'array'], description: 'A delivery, as the platform sends it.' }),
  })
  .meta({ id: 'SourceTrial' })
const triedItem = z.object({
  deliveryId: z.string(),
  type: z.string(),
  name: z.string(),
  userId: z.string().nullable(),
  properties: jsonObject<Record<string, unknown>>(),
  occurredAt: instant,
  reason: z.string().nullable(),
  dropped: z.string().nullable().meta({ description: 'Why the mapping leaves it out; null: it does not.' }),
  joinTopic: z.string().nullable(),
  profile: jsonObject<object>()
    .nullable()
    .meta({ type: ['object', 'null'], additionalProperties: true }),
})
export const sourceTrialAnswer = z.object({ items: z.array(triedItem) }).meta({ id: 'SourceTrialAnswer' })

export type NewSource = z.output<typeof newSource>
export type SourceChange = z.output<typeof sourceChange>
export type SourceAnswer = z.output<typeof source>
export type CreatedSourceAnswer = z.output<typeof createdSource>
export type SignatureTrial = z.output<typeof signatureTrial>
export type SignatureTrialAnswer = z.output<typeof signatureTrialAnswer>
export type SourceTrial = z.output<typeof sourceTrial>
export type TriedItem = z.output<typeof triedItem>
export type SourceTrialAnswer = z.output<typeof sourceTrialAnswer>
