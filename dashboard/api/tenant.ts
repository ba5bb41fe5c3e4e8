// Calls of an organisation's environments, their secrets, and its notification configs, with their answers.

import type { Page } from '../../contract/api.ts'
import type { Channel } from '../../contract/delivery.ts'
import type { ApiClient } from './client.ts'

export interface ClaimPaths {
  userId: string
  email?: string
  name?: string
  locale?: string
}

export interface IdentityProvider {
  issuer: string
  audience: string
  jwksUrl: string
  algorithms: string[]
  claims: ClaimPaths
}

export interface PublicKey {
  algorithm: string
  key: string
  claims: ClaimPaths
}

/** Classes of calls that an environment may limit. */
export const LIMITED_CLASSES = ['auth', 'inbox', 'track', 'management'] as const
/** Calls a minute; null: no limit; absent: that of the deployment. */
export type RateLimits = Partial<Record<(typeof LIMITED_CLASSES)[number], number | null>>

/** The settings that people change. */
export interface EnvironmentSettings {
  name: string
  isProduction: boolean
  allowedOrigins: string[]
  requireExpiringTokens: boolean
  sdkKeyMayManage: boolean
  notificationConfigId: string | null
  identityProvider: IdentityProvider | null
  publicKey: PublicKey | null
  rateLimits: RateLimits | null
  disabled: boolean
}

export interface EnvironmentAnswer extends EnvironmentSettings {
  id: string
  region: string
  host: string | null
  state: 'enabled' | 'disabled'
  disabledAt: string | null
  createdAt: string
}

export interface ListedEnvironment extends EnvironmentAnswer {
  /** Null while it has no event. */
  lastEventAt: string | null
}

export interface EnvironmentDetail extends EnvironmentAnswer {
  frontApiKey: string
}

export type NewEnvironmentFields = Pick<EnvironmentSettings, 'name' | 'isProduction' | 'allowedOrigins'>

export const SECRET_KINDS = ['sdkSecretKey', 'authSecretKey', 'frontApiKey', 'webhookSigningSecret'] as const
export type SecretKind = (typeof SECRET_KINDS)[number]

interface SecretValueFacts {
  id: string
  createdAt: string
  lastUsedAt: string | null
  retiresAt: string | null
}

export interface Rotation {
  kind: SecretKind
  state: 'single' | 'overlap'
  /** The end of the overlap. */
  until: string | null
  current: SecretValueFacts
  previous: SecretValueFacts | null
}

export type RotatedSecret = Rotation & { value: string }

export const AUTH_TYPES = ['backendToken', 'jwt', 'signedJwt'] as const

export interface TokenCheck {
  authType: string
  userId?: string
  token: string
}

export interface CheckedToken {
  ok: boolean
  code?: string
  reason?: string
  user?: { userId: string; email?: string; name?: string; locale?: string }
  expiresAt?: string
}

export interface CopiedCampaign {
  key: string
  action: 'create' | 'change' | 'publish' | 'same' | 'archived'
  /** One line for each value: `~` before → after, `+` added, `-` removed. */
  difference: string[]
}

export interface CampaignCopy {
  applied: boolean
  changes: CopiedCampaign[]
}

export interface CopyRequest {
  to: string
  publish: boolean
  apply: boolean
  /** By the keys of the campaigns; absent: all. */
  keys?: string[]
}

/** A text, or its plural forms. */
export type ConfigText = string | Partial<Record<Intl.LDMLPluralRule, string>>

export interface ConfigCategory {
  key: string
  name: string
  critical: boolean
  channels: Record<Channel, boolean>
}

export interface ConfigContent {
  name: string
  categories: ConfigCategory[]
  widget: {
    theme: 'auto' | 'light' | 'dark'
    accentColor: string | null
    /** By locale and name of the text. */
    texts: Record<string, Record<string, ConfigText>>
  }
  /** Kept as it is: no page changes it. */
  email: object
}

export interface NotificationConfig extends ConfigContent {
  id: string
  createdAt: string
  updatedAt: string
}

export type TenantApi = ReturnType<typeof createTenantApi>

export function createTenantApi(client: ApiClient, org: string) {
  const of = `/v1/dashboard/organisations/${encodeURIComponent(org)}`
  const config = (id: string) => `${of}/notification-configs/${encodeURIComponent(id)}`
  const one = (id: string) => `/v1/dashboard/environments/${encodeURIComponent(id)}`
  const secret = (id: string, kind: SecretKind, step: string) => `${one(id)}/secrets/${kind}/${step}`
  return {
    environment: (id: string, signal?: AbortSignal) => client.get<EnvironmentDetail>(one(id), {}, signal),
    changeEnvironment: (id: string, change: Partial<EnvironmentSettings>) =>
      client.send<EnvironmentDetail>('PUT', one(id), change),
    checkToken: (id: string, check: TokenCheck) => client.send<CheckedToken>('POST', `${one(id)}/check-token`, check),
    copyCampaigns: (id: string, request: CopyRequest) =>
      client.send<CampaignCopy>('POST', `${one(id)}/copy-campaigns`, request),
    secrets: (id: string, signal?: AbortSignal) => client.get<Page<Rotation>>(`${one(id)}/secrets`, {}, signal),
    rotate: (id: string, kind: SecretKind, overlap: string) =>
      client.send<RotatedSecret>('POST', secret(id, kind, 'rotate'), { overlap }),
    extendOverlap: (id: string, kind: SecretKind, overlap: string) =>
      client.send<Rotation>('POST', secret(id, kind, 'extend'), { overlap }),
    retire: (id: string, kind: SecretKind) =>
      client.send<Rotation>('POST', secret(id, kind, 'retire'), { confirm: true }),
    replaceAtOnce: (id: string, kind: SecretKind) =>
      client.send<RotatedSecret>('POST', secret(id, kind, 'emergency'), { confirm: true }),
    showSecret: (id: string, kind: SecretKind) => client.send<{ values: string[] }>('POST', secret(id, kind, 'show')),
    async allConfigs(signal?: AbortSignal): Promise<NotificationConfig[]> {
      const all: NotificationConfig[] = []
      let cursor: string | undefined
      do {
        const query = { limit: 100, cursor }
        const page = await client.get<Page<NotificationConfig>>(`${of}/notification-configs`, query, signal)
        all.push(...page.data)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return all
    },
    config: (id: string, signal?: AbortSignal) => client.get<NotificationConfig>(config(id), {}, signal),
    createConfig: (content: Pick<ConfigContent, 'name'>) =>
      client.send<NotificationConfig>('POST', `${of}/notification-configs`, content),
    putConfig: (id: string, content: ConfigContent) => client.send<NotificationConfig>('PUT', config(id), content),
  }
}
