// Declares the bodies and answers of environments and their secrets.

import { z } from '@hono/zod-openapi'
import { nameField } from '../../../contract/resources/fields.ts'
import { SITE_URL } from '../../../contract/site.ts'
import {
  CLIENT_CLAIMS,
  KEY_MAY_MANAGE,
  LIMITED_CLASSES,
  SANDBOX_MODES,
  SECRET_KINDS,
} from '../../../contract/tenant.ts'
import { JWT_ALGORITHMS } from '../../auth/jwt.ts'
import { APP_SCHEME, MAX_APP_SCHEMES } from '../../domain/tenant/link-rules.ts'
import { ORIGIN } from '../../flow/tenant/change-environment.ts'
import { MAX_SANDBOX_ADDRESSES } from '../../flow/tenant/check-sandbox.ts'

const claims = z.object({
  userId: z.string().min(1).max(256),
  email: z.string().min(1).max(256).optional(),
  name: z.string().min(1).max(256).optional(),
  locale: z.string().min(1).max(256).optional(),
})
/** The `sub` names the user unless the body says otherwise. */
const claimsBody = claims.partial({ userId: true }).transform((paths) => ({ userId: 'sub', ...paths }))

// The flow checks what is only documented here, and explains it.
const algorithm = z.string().openapi({ enum: [...JWT_ALGORITHMS] })
const providerFields = {
  issuer: z.string().max(1024).openapi({ minLength: 1 }),
  audience: z
    .string()
    .max(1024)
    .openapi({ minLength: 1, description: 'The client that tokens are issued for: the value of `clientClaim`.' }),
  jwksUrl: z.string().max(2048).openapi({ format: 'uri', pattern: '^https?://' }),
  algorithms: z.array(algorithm).max(20).openapi({ minItems: 1 }),
}
const clientClaim = z.enum(CLIENT_CLAIMS)
const limits = z.partialRecord(z.enum(LIMITED_CLASSES), z.number().int().min(1).max(999_999_999).nullable()).openapi({
  description: 'Calls a minute by class; null: no limit. Classes that are absent keep that of the deployment.',
})
const origin = z
  .string()
  .max(512)
  .openapi({ format: 'origin', pattern: ORIGIN.source, example: 'https://*.shop.example' })
const origins = z.array(origin).max(100).openapi({ description: 'Empty: any.' })

const emailSandbox = z
  .object({
    mode: z.enum(SANDBOX_MODES),
    addresses: z
      .array(z.string().max(320))
      .max(MAX_SANDBOX_ADDRESSES)
      .openapi({ description: 'Addresses and domains with `allow`, exactly one address with `redirect`.' }),
  })
  .openapi({ description: 'Which mails leave the environment. Others are `skipped`, `sandbox`.' })

const settingFields = {
  name: nameField,
  isProduction: z.boolean(),
  allowedOrigins: origins,
  requireExpiringTokens: z.boolean(),
  sdkKeyMayManage: z.boolean().openapi({ description: `Whether an sdkSecretKey may ${KEY_MAY_MANAGE}.` }),
  notificationConfigId: z.string().nullable(),
  siteUrl: z.string().max(2048).nullable().openapi({
    format: 'site-url',
    pattern: SITE_URL.source,
    example: 'https://shop.example',
    description:
      'The site of the customer, at which paths in mails begin; null: PUBLIC_URL. A config may name another.',
  }),
  appSchemes: z
    .array(z.string().max(32).openapi({ format: 'app-scheme', pattern: APP_SCHEME.source, example: 'shopapp' }))
    .max(MAX_APP_SCHEMES)
    .openapi({ description: 'Schemes of apps that links of messages may have, without colon.' }),
}

const environmentFields = {
  id: z.string(),
  organisation: z.string(),
  ...settingFields,
  identityProvider: z.object({ ...providerFields, clientClaim, claims }).nullable(),
  publicKey: z.object({ algorithm, key: z.string(), claims }).nullable(),
  rateLimits: limits.nullable(),
  emailSandbox,
  region: z.string(),
  host: z.string().nullable().openapi({
    description:
      'The address that serves its region, by REGION_HOSTS, else PUBLIC_URL; null for another region without REGION_HOSTS.',
  }),
  state: z.enum(['enabled', 'disabled']),
  disabled: z.boolean(),
  disabledAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
}
export const listedEnvironmentSchema = z
  .object({
    ...environmentFields,
    lastEventAt: z.iso.datetime().nullable().openapi({ description: 'When its newest stored event was received.' }),
  })
  .openapi('ListedEnvironment')
export const environmentDetailSchema = z
  .object({ ...environmentFields, frontApiKey: z.string(), revision: z.number().int() })
  .openapi('EnvironmentDetail')
export const createdEnvironmentSchema = z
  .object({
    ...environmentFields,
    secrets: z
      .object(Object.fromEntries(SECRET_KINDS.map((kind) => [kind, z.string()])))
      .openapi({ description: 'The `sdkSecretKey` is not shown again.' }),
  })
  .openapi('CreatedEnvironment')

const providerBody = z
  .object({ ...providerFields, clientClaim: clientClaim.default('aud'), claims: claimsBody.optional() })
  .nullable()
const publicKeyBody = z
  .object({
    algorithm,
    key: z
      .string()
      .max(16 * 1024)
      .openapi({ description: 'A PEM text, or a public JWK as JSON text.' }),
    claims: claimsBody.optional(),
  })
  .nullable()

export const newEnvironmentBody = z
  .object({
    name: nameField,
    isProduction: z.boolean().default(false),
    allowedOrigins: origins.default([]),
    requireExpiringTokens: z.boolean().optional(),
    sdkKeyMayManage: z.boolean().optional().openapi({ description: 'Default: only outside of production.' }),
    notificationConfigId: z.string().nullable().default(null),
    siteUrl: settingFields.siteUrl.optional(),
    appSchemes: settingFields.appSchemes.optional(),
    identityProvider: providerBody.optional(),
    publicKey: publicKeyBody.optional(),
    rateLimits: limits.nullable().optional(),
    emailSandbox: emailSandbox.nullable().optional(),
  })
  .openapi('NewEnvironment')

export const environmentBody = z
  .object({
    ...settingFields,
    identityProvider: providerBody,
    publicKey: publicKeyBody,
    rateLimits: limits.nullable(),
    emailSandbox: emailSandbox.nullable().openapi({ description: 'Null: as a new environment has it.' }),
    disabled: z.boolean(),
  })
  .partial()
  .openapi('EnvironmentChange', { description: 'Absent fields stay; null removes.' })
export type EnvironmentBody = z.output<typeof environmentBody>

const valueSchema = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  retiresAt: z.iso.datetime().nullable(),
})
const rotationFields = {
  kind: z.enum(SECRET_KINDS),
  state: z.enum(['single', 'overlap']),
  until: z.iso.datetime().nullable().openapi({ description: 'The end of the overlap; null outside of one.' }),
  current: valueSchema,
  previous: valueSchema
    .nullable()
    .openapi({ description: 'The old value of an overlap; after it, the one that was retired last.' }),
}
export const rotationSchema = z.object(rotationFields).openapi('SecretRotation')
/** A value under the name of its kind, as a new environment has it. */
const valueByName = Object.fromEntries(SECRET_KINDS.map((kind) => [kind, z.string().optional()]))
export const newValueSchema = z
  .object({
    ...rotationFields,
    ...valueByName,
    value: z.string().openapi({ description: 'The new value, shown this once.' }),
  })
  .openapi('RotatedSecret')
export const overlapBody = z
  .object({ overlap: z.string().default('PT24H').openapi({ format: 'duration', description: 'From PT1H to P7D.' }) })
  .openapi('SecretOverlap')
export const confirmBody = z
  .object({ confirm: z.literal(true, 'This must be true: values end now, and whoever uses them is refused.') })
  .openapi('SecretConfirmation')
export const secretValuesSchema = z
  .object({ kind: z.enum(SECRET_KINDS), ...valueByName, values: z.array(z.string()) })
  .openapi('SecretValues')

export const environmentContentsSchema = z
  .object({ users: z.int(), messages: z.int(), campaigns: z.int() })
  .openapi('EnvironmentContents')
