// Describes an environment: its settings, and what is answered of it.

import { z } from 'zod'
import { isAppScheme } from '../link.ts'
import { PUBLISH_ROLES } from '../role.ts'
import { pageOf } from '../schemas.ts'
import { findSiteFault, SITE_URL } from '../site.ts'
import { byKind, KEY_MAY_MANAGE, type LimitedClass, SANDBOX_MODES } from '../tenant.ts'
import { BESIDE_FAULTS, closed, nameField, textUpTo, UNKNOWN_FIELD } from './fields.ts'
import { identityProvider, newIdentityProvider, newPublicKey, publicKey } from './token-keys.ts'

const MAX_CALLS = 999_999_999
const MAX_ORIGINS = 100
const MAX_APP_SCHEMES = 20
export const MAX_SANDBOX_ADDRESSES = 100
export const MAX_ADDRESS_CHARS = 320

/** With its scheme, as browsers send it, or `*.` and any scheme. */
const ORIGIN = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:\*\.)?|\*\.)[^\s/?#@\\*]+\/?$/
const APP_SCHEME = /^[a-z][a-z0-9+.-]{1,31}$/

function findSchemeFault(scheme: string): string | undefined {
  if (!APP_SCHEME.test(scheme))
    return 'This must be the scheme of an app in lower case, without colon, such as shopapp.'
  return isAppScheme(scheme) ? undefined : `Links of ${scheme}: are never allowed.`
}

const findOriginFault = (text: string) =>
  ORIGIN.test(text) ? undefined : `"${text}" is no origin such as https://shop.example or https://*.shop.example.`

const origin = textUpTo(512, findOriginFault).meta({
  format: 'origin',
  pattern: ORIGIN.source,
  example: 'https://*.shop.example',
})
const appScheme = textUpTo(32, findSchemeFault).meta({
  format: 'app-scheme',
  pattern: APP_SCHEME.source,
  example: 'shopapp',
})

const limit = z.number().int().min(1).max(MAX_CALLS).nullable().optional()
const limits = closed(
  { auth: limit, inbox: limit, track: limit, management: limit, webhooks: limit } satisfies Record<
    LimitedClass,
    unknown
  >,
  UNKNOWN_FIELD,
).meta({
  description: 'Calls a minute by class; null: no limit. Classes that are absent keep that of the deployment.',
})

/** Whether the addresses are some, the server tells. */
const emailSandbox = z
  .object({
    mode: z.enum(SANDBOX_MODES),
    addresses: z
      .array(z.string().max(MAX_ADDRESS_CHARS))
      .max(MAX_SANDBOX_ADDRESSES)
      .meta({ description: 'Addresses and domains with `allow`, exactly one address with `redirect`.' }),
  })
  .superRefine(({ mode, addresses }, context) => {
    if (mode !== 'redirect' || !Array.isArray(addresses) || addresses.length === 1) return
    context.addIssue({ code: 'custom', path: ['addresses'], message: 'A redirection has exactly one address.' })
  }, BESIDE_FAULTS)
  .meta({ description: 'Which mails leave the environment. Others are `skipped`, `sandbox`.' })

const settings = {
  name: nameField,
  isProduction: z.boolean(),
  allowedOrigins: z.array(origin).max(MAX_ORIGINS).meta({ description: 'Empty: any.' }),
  requireExpiringTokens: z.boolean(),
  sdkKeyMayManage: z.boolean().meta({ description: `Whether an sdkSecretKey may ${KEY_MAY_MANAGE}.` }),
  requirePublishApproval: z.boolean().meta({
    description: 'Whether a second person must approve what is published; a key then publishes and tests nothing.',
  }),
  publishRole: z.enum(PUBLISH_ROLES).meta({ description: 'The least role of people who may publish, or approve it.' }),
  notificationConfigId: z.string().nullable(),
  siteUrl: textUpTo(2048, findSiteFault).nullable().meta({
    format: 'site-url',
    pattern: SITE_URL.source,
    example: 'https://shop.example',
    description:
      'The site of the customer, at which paths in mails begin; null: PUBLIC_URL. A config may name another.',
  }),
  appSchemes: z
    .array(appScheme)
    .max(MAX_APP_SCHEMES)
    .meta({ description: 'Schemes of apps that links of messages may have, without colon.' }),
}
const keys = {
  identityProvider: newIdentityProvider.nullable(),
  publicKey: newPublicKey.nullable(),
  rateLimits: limits.nullable(),
}

export const newEnvironment = z
  .object({
    name: nameField,
    isProduction: z.boolean().default(false),
    allowedOrigins: settings.allowedOrigins.default([]),
    requireExpiringTokens: z.boolean().optional(),
    sdkKeyMayManage: z.boolean().optional().meta({ description: 'Default: only outside of production.' }),
    requirePublishApproval: settings.requirePublishApproval.default(false),
    publishRole: settings.publishRole.default('editor'),
    notificationConfigId: z.string().nullable().default(null),
    siteUrl: settings.siteUrl.optional(),
    appSchemes: settings.appSchemes.optional(),
    identityProvider: keys.identityProvider.optional(),
    publicKey: keys.publicKey.optional(),
    rateLimits: keys.rateLimits.optional(),
    emailSandbox: emailSandbox.nullable().optional(),
  })
  .meta({ id: 'NewEnvironment' })

export const environmentChange = z
  .object({
    ...settings,
    ...keys,
    emailSandbox: emailSandbox.nullable().meta({ description: 'Null: as a new environment has it.' }),
    disabled: z.boolean(),
  })
  .partial()
  .meta({ id: 'EnvironmentChange', description: 'Absent fields stay; null removes.' })

const environment = z.object({
  id: z.string(),
  organisation: z.string(),
  ...settings,
  identityProvider: identityProvider.nullable(),
  publicKey: publicKey.nullable(),
  rateLimits: limits.nullable(),
  emailSandbox,
  region: z.string(),
  host: z.string().nullable().meta({
    description:
      'The address that serves its region, by REGION_HOSTS, else PUBLIC_URL; null for another region without REGION_HOSTS.',
  }),
  state: z.enum(['enabled', 'disabled', 'closed']),
  disabled: z.boolean(),
  disabledAt: z.iso.datetime().nullable(),
  closedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'Since when its calls are answered 503 `environment/closed`; only the operator opens it.' }),
  movedTo: z.string().nullable().meta({ description: 'The address of the deployment to which the operator moved it.' }),
  createdAt: z.iso.datetime(),
})
const listedEnvironment = environment
  .extend({
    lastEventAt: z.iso.datetime().nullable().meta({ description: 'When its newest stored event was received.' }),
  })
  .meta({ id: 'ListedEnvironment' })
export const environmentPage = pageOf(listedEnvironment).meta({ id: 'EnvironmentPage' })
export const environmentDetail = environment
  .extend({ frontApiKey: z.string(), revision: z.number().int() })
  .meta({ id: 'EnvironmentDetail' })
export const createdEnvironment = environment
  .extend({
    secrets: z.object(byKind(() => z.string())).meta({ description: 'The `sdkSecretKey` is not shown again.' }),
  })
  .meta({ id: 'CreatedEnvironment' })

export const environmentContents = z
  .object({ users: z.int(), messages: z.int(), campaigns: z.int() })
  .meta({ id: 'EnvironmentContents' })

/** The query of a deletion. */
export const environmentDeletion = z.object({
  confirm: z.string().max(200).meta({ description: 'The name of the environment: nothing brings it back.' }),
})

export type NewEnvironment = z.output<typeof newEnvironment>
export type EnvironmentChange = z.output<typeof environmentChange>
/** Absent fields get their defaults. */
export type NewEnvironmentInput = z.input<typeof newEnvironment>
export type EnvironmentChangeInput = z.input<typeof environmentChange>
export type EnvironmentAnswer = z.output<typeof environment>
export type ListedEnvironment = z.output<typeof listedEnvironment>
export type EnvironmentDetail = z.output<typeof environmentDetail>
export type CreatedEnvironment = z.output<typeof createdEnvironment>
/** What a deletion removes; a million stands for that or more. */
export type EnvironmentContents = z.output<typeof environmentContents>
/**
 * `track`, `management` and `webhooks` replace the deployment's; `auth` and `inbox` limit all its addresses and users
 * together, in addition to the deployment's limit for each.
 */
export type EnvironmentLimits = z.output<typeof limits>
export type EmailSandbox = z.output<typeof emailSandbox>
