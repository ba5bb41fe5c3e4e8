// Declares the bodies and answers of sources.

import { z } from '@hono/zod-openapi'
import { LARGE_BODIES } from '../../../contract/limits.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { CONNECTOR_PLATFORMS, HMAC_ALGORITHMS, HMAC_ENCODINGS } from '../../../contract/tenant.ts'
import { HEADER_NAME } from '../../domain/connector/hmac-settings.ts'
import { MAX_CONDITION_CHARS, MAX_PATH_CHARS } from '../../domain/connector/mapping-actions.ts'
import {
  MAX_MAPPINGS,
  MAX_SECRET_CHARS,
  MAX_TRAIT_CHARS,
  MAX_TRAITS,
  MAX_TYPE_CHARS,
  MAX_USER_PATHS,
} from '../../domain/connector/parse-source.ts'
import { DELIVERY_OUTCOMES } from '../../domain/connector/source.ts'
import { NAME } from '../../domain/tenant/parse-name.ts'
import { instantSchema, jsonObjectOrNullSchema, jsonObjectSchema } from '../track-schema.ts'

const instant = z.iso.datetime().nullable()
const path = z.string().max(MAX_PATH_CHARS).nullable()
const provider = z.enum(CONNECTOR_PLATFORMS)
const count = z.number().int()

const USER_PATH =
  "Dotted, from the item, or a list of which the first that holds an id counts; `external:stripe:<path>` looks up by external id; null: the platform's own."

const innerPath = z.string().openapi({ minLength: 1, maxLength: MAX_PATH_CHARS })
const identify = z
  .object({
    name: innerPath.optional(),
    email: innerPath.optional(),
    locale: innerPath.optional(),
    timeZone: innerPath.optional(),
    attributes: z.record(z.string(), innerPath).optional(),
    externalIds: z.record(z.string(), innerPath).optional(),
  })
  .openapi('SourceIdentify', { description: 'Paths of what goes to the profile of the user.' })
const actions = {
  drop: z.boolean().optional().openapi({ description: 'Leaves the items out: they are counted as dropped.' }),
  where: z.string().optional().openapi({
    minLength: 1,
    maxLength: MAX_CONDITION_CHARS,
    example: 'event.properties.total > 100',
    description: 'A condition on `event` and `user.id`; items for which it does not hold are dropped.',
  }),
  identify: identify.optional(),
  joinTopic: z.string().optional().openapi({ minLength: 1, description: 'The topic that the user joins.' }),
}

const mapping = z
  .object({
    providerEvent: z.string().openapi({ description: "The platform's type; `*`: every type without its own mapping." }),
    event: z.string().nullable().openapi({ description: "The event's name; null: the platform's name of it." }),
    userIdPath: z.union([path, z.array(z.string())]).openapi({ description: USER_PATH }),
    propertiesPath: path.openapi({ description: "The properties; empty: the whole item; null: the platform's own." }),
    traits: z.array(z.string()).optional().openapi({ description: 'Traits that `identify` writes to the profile.' }),
    ...actions,
  })
  .openapi('SourceMapping')

// The flow checks what is only documented here, and explains it.
const mappingBody = z
  .object({
    providerEvent: z.string().openapi({ minLength: 1, maxLength: MAX_TYPE_CHARS }),
    event: z.string().nullable().optional(),
    userIdPath: z
      .union([z.string().max(MAX_PATH_CHARS), z.array(z.string().max(MAX_PATH_CHARS)).min(1).max(MAX_USER_PATHS)])
      .nullable()
      .optional()
      .openapi({ description: USER_PATH }),
    propertiesPath: z.string().nullable().optional().openapi({ maxLength: MAX_PATH_CHARS }),
    traits: z.array(z.string().max(MAX_TRAIT_CHARS)).max(MAX_TRAITS).optional(),
    ...actions,
  })
  .openapi('SourceMappingBody')

const hmacSettings = z
  .object({
    header: z.string().openapi({ pattern: HEADER_NAME.source }),
    algorithm: z.enum(HMAC_ALGORITHMS),
    encoding: z.enum(HMAC_ENCODINGS),
    prefix: z.string().optional().openapi({ description: 'Before the signature, such as `sha256=`.' }),
    signedString: z.string().openapi({ example: 'timestamp.body', description: 'Of body, timestamp, url and method.' }),
    timestampHeader: z.string().optional().openapi({ description: 'Default: the header of the signature.' }),
    timestampPrefix: z.string().optional().openapi({ description: 'Before the time, such as `t=`.' }),
    toleranceSeconds: z.number().int().optional().openapi({ description: 'Default: 300.' }),
    idPath: z.string().openapi({ description: 'A path, or `header:` and a name.' }),
    typePath: z.string().openapi({ description: 'A path, or `header:` and a name.' }),
  })
  .openapi('HmacSettings')

const sourceRun = z
  .object({
    state: z.enum(['running', 'done', 'failed']),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    outcome: z.enum(DELIVERY_OUTCOMES).nullable(),
    deliveries: count.openapi({ description: 'How many it has.' }),
    done: count,
    accepted: count.openapi({ description: 'New events.' }),
    refused: count,
    startedAt: z.iso.datetime(),
    endedAt: instant,
  })
  .openapi('SourceRun')

const sourceFields = {
  id: z.string(),
  name: z.string(),
  provider,
  status: z.enum(['active', 'paused']),
  url: z.string().openapi({ format: 'uri', description: 'The address that the platform calls.' }),
  mappings: z.array(mapping),
  requireV3: z.boolean(),
  allowUnsignedBatchTail: z.boolean(),
  settings: hmacSettings.nullable(),
  secret: z.object({
    state: z.enum(['single', 'overlap']),
    createdAt: z.iso.datetime(),
    retiresAt: instant.openapi({ description: 'The end of the old value of an overlap.' }),
    lastUsedAt: instant,
    oldLastUsedAt: instant.openapi({ description: 'Of an overlap: when the old value was last used.' }),
  }),
  lastReceivedAt: instant,
  lastErrorAt: instant,
  lastError: z.string().nullable(),
  counts: z.object({
    accepted: count,
    duplicates: count,
    refused: count,
    unreadable: count,
    dropped: count.openapi({ description: 'Items that arrived during a pause.' }),
  }),
  run: sourceRun.nullable().openapi({ description: 'The last run of kept deliveries.' }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  revision: z.number().int(),
}
export const sourceSchema = z.object(sourceFields).openapi('Source')
export const createdSourceSchema = z
  .object({ ...sourceFields, verificationSecret: z.string().openapi({ description: 'Shown this once.' }) })
  .openapi('CreatedSource')
export const sourceListSchema = pageOf(sourceSchema).openapi('SourceList')

const secretValue = z.string().max(MAX_SECRET_CHARS).optional().openapi({
  minLength: 1,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'As the platform dictates it; default: a new one.',
})

const settingFields = {
  settings: hmacSettings.optional().openapi({ description: 'Of the provider hmac: how its deliveries are signed.' }),
  name: z.string().openapi({ pattern: NAME.source }),
  mappings: z
    .array(mappingBody)
    .max(MAX_MAPPINGS)
    .optional()
    .openapi({ description: 'Of a new source, by default: those of the platform.' }),
  requireV3: z
    .boolean()
    .optional()
    .openapi({ description: 'HubSpot: refuse the former signatures. On in a new source.' }),
  allowUnsignedBatchTail: z
    .boolean()
    .optional()
    .openapi({ description: 'Segment: take the items of a batch that its signature does not cover.' }),
}
export const newSourceBody = z
  .object({ ...settingFields, provider, verificationSecret: secretValue })
  .openapi('NewSource')
export const sourceBody = z
  .object({ ...settingFields, name: settingFields.name.optional() })
  .openapi('SourceChange', { description: 'Absent fields stay.' })

const valueSchema = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: instant,
  retiresAt: instant,
})
const kind = z.literal('verificationSecret')
const rotationFields = {
  kind,
  state: z.enum(['single', 'overlap']),
  until: instant.openapi({ description: 'The end of the overlap; null outside of one.' }),
  current: valueSchema,
  previous: valueSchema.nullable(),
}
export const sourceRotationSchema = z.object(rotationFields).openapi('SourceSecretRotation')
export const newSourceSecretSchema = z
  .object({
    ...rotationFields,
    verificationSecret: z.string().openapi({ description: 'The new value, shown this once.' }),
  })
  .openapi('RotatedSourceSecret')
export const sourceSecretsSchema = z
  .object({
    kind,
    verificationSecret: z.string().openapi({ description: 'The newest value.' }),
    values: z.array(z.string()).openapi({ description: 'All live values, the newest first.' }),
  })
  .openapi('SourceSecretValues')

const overlap = z.string().optional().openapi({ format: 'duration', description: 'From PT1H to P7D. Default: PT24H.' })
const confirm = z.literal(true, 'This must be true: values end now, and deliveries signed with them are refused.')
export const rotateBody = z.object({ overlap, verificationSecret: secretValue }).openapi('SourceSecretRotate')
export const extendBody = z.object({ overlap }).openapi('SourceSecretExtend')
export const retireBody = z.object({ confirm }).openapi('SourceSecretRetire')
export const emergencyBody = z.object({ confirm, verificationSecret: secretValue }).openapi('SourceSecretEmergency')

const deliveryFields = {
  at: z.iso.datetime(),
  deliveryId: z.string().nullable(),
  type: z.string().nullable(),
  outcome: z.enum(DELIVERY_OUTCOMES),
  eventId: z.string().nullable(),
  reason: z.string().nullable(),
}
export const deliveriesSchema = pageOf(z.object(deliveryFields)).openapi('SourceDeliveries')
export const deliverySchema = z
  .object({
    ...deliveryFields,
    body: z.string().nullable().openapi({ description: 'As it came, for 7 days; then null.' }),
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .openapi({ description: 'By lower-case name, without credentials; kept as long as the body.' }),
  })
  .openapi('SourceDelivery')
const dryRun = z.boolean().optional().openapi({ description: 'Only counts the deliveries.' })
export const runBody = z
  .object({ from: instantSchema, to: instantSchema, outcome: z.enum(DELIVERY_OUTCOMES).optional(), dryRun })
  .openapi('RunDeliveries')
export const runAnswerSchema = z
  .object({
    accepted: z.number().int().openapi({ description: 'New events; repeats are not counted.' }),
    outcome: deliveryFields.outcome.openapi({
      description: 'What this run did; `duplicate`: it made the event before.',
    }),
    eventId: deliveryFields.eventId,
    reason: deliveryFields.reason,
  })
  .openapi('RunDeliveryAnswer')
export const runsAnswerSchema = z
  .object({ accepted: z.number().int().openapi({ description: 'Deliveries that will be run.' }) })
  .openapi('RunDeliveriesAnswer')

/** A pasted request is JSON text in JSON. */
export const MAX_PASTED_CHARS = 2 * LARGE_BODIES.deliveryBytes
export const signatureTrialBody = z
  .object({
    request: z.string().min(1).max(MAX_PASTED_CHARS).openapi({
      description: 'A request line if there is one, headers, an empty line, the body as it came.',
      example: 'X-Signature: 5d41…\n\n{"id":"1","type":"order.created"}',
    }),
    settings: z
      .unknown()
      .optional()
      .openapi({ type: 'object', description: 'Settings that are not saved yet, as of `PUT`. Default: those saved.' }),
  })
  .openapi('SignatureTrial')
export const signatureTrialAnswer = z
  .object({
    ok: z.boolean().openapi({ description: 'Whether it would be taken, were it delivered now.' }),
    reason: z.string().nullable(),
    matches: z.boolean().openapi({ description: 'Whether a signature is the expected one, whatever its time is.' }),
    expected: z.string().nullable().openapi({ description: 'Null where the request lacks the time or the id.' }),
    received: z.array(z.string()),
    signedString: z.string().nullable().openapi({ description: 'What is signed, up to 65,536 characters.' }),
    timestamp: z.string().nullable(),
  })
  .openapi('SignatureTrialAnswer')

export const trialBody = z
  .object({
    provider,
    mappings: settingFields.mappings,
    payload: z.unknown().openapi({ type: ['object', 'array'], description: 'A delivery, as the platform sends it.' }),
  })
  .openapi('SourceTrial')
export const trialAnswerSchema = z
  .object({
    items: z.array(
      z.object({
        deliveryId: z.string(),
        type: z.string(),
        name: z.string(),
        userId: z.string().nullable(),
        properties: jsonObjectSchema,
        occurredAt: instant,
        reason: z.string().nullable(),
        dropped: z.string().nullable().openapi({ description: 'Why the mapping leaves it out; null: it does not.' }),
        joinTopic: z.string().nullable(),
        profile: jsonObjectOrNullSchema,
      }),
    ),
  })
  .openapi('SourceTrialAnswer')
