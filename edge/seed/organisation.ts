// Describes the demo organisation as data: its owner, its environments, and how its users sign in.

import type { NamedPlatform } from '../../contract/tenant.ts'
import type { ChangedBy } from '../domain/audit.ts'
import type { EnvironmentDraft } from '../flow/tenant/create-environment.ts'

/** The author of these changes in the audit log. */
export const BY: ChangedBy = { actor: 'seed', who: 'SEED_DEMO' }

export const ORGANISATION = { name: 'Demo', retentionDays: 90 }
export const OWNER = { email: 'demo@example.com', name: 'Demo owner', role: 'owner' } as const

const CLAIMS = { userId: 'sub', email: 'email', name: 'name', locale: 'locale' }
export const IDENTITY_PROVIDER = {
  audience: 'notification-center',
  algorithm: 'RS256',
  kid: 'demo-1',
  claims: CLAIMS,
} as const
export const SIGNED_JWT = { algorithm: 'ES256', claims: CLAIMS } as const

/** Path of the key set of the identity provider. */
export const KEY_SET_PATH = '/demo/jwks.json'

type Draft = Omit<EnvironmentDraft, 'organisationId'>

const COMMON = {
  allowedOrigins: [] as string[],
  requireExpiringTokens: false,
  identityProvider: null,
  publicKey: null,
  disabledAt: null,
  notificationConfigId: null,
  requirePublishApproval: false,
  publishRole: 'editor',
} as const
/** The first start adds an identity provider and a public key to `dev`; `prod` has neither. */
export const DEV: Draft = { ...COMMON, name: 'dev', isProduction: false, sdkKeyMayManage: true }
export const PROD: Draft = { ...COMMON, name: 'prod', isProduction: true, sdkKeyMayManage: false }

/** The names of the demo's sources. */
export const SOURCE_NAMES: Readonly<Record<NamedPlatform, string>> = {
  segment: 'Demo Segment',
  stripe: 'Demo Stripe',
  hubspot: 'Demo HubSpot',
  intercom: 'Demo Intercom',
  customerio: 'Demo Customer.io',
}
