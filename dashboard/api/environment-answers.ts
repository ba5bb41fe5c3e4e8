// Types of the calls below one environment whose schemas stand beside their routes.

import type { FunnelStep, Page } from '../../contract/api.ts'
import type { Channel, Window } from '../../contract/delivery.ts'
import type { MailProviderName } from '../../contract/tenant.ts'

export type StatsQuery = { window: Window; channel: Channel }

export interface StatsAnswer extends StatsQuery {
  steps: FunnelStep[]
  /** Messages that were not sent, by reason. */
  outcomes: Record<'skipped' | 'failed', Record<string, number>>
}

/** Deliveries of campaigns by day; those without any are absent. */
export interface CampaignDaysPage extends Page<{ campaignId: string; deliveries: number[] }> {
  channel: Channel
  /** The first day. */
  from: string
}

/** A field of the credentials for a provider of mail. */
export interface CredentialField {
  name: string
  label: string
  isSecret: boolean
  isRequired: boolean
  values?: string[]
  byDefault?: string
}

export interface EmailProviderAnswer {
  name: MailProviderName
  title: string
  fields: CredentialField[]
}

export interface IntegrationSettings {
  name: string
  provider: MailProviderName
  /** Absent: the stored ones stay. */
  credentials?: Record<string, string>
  from: { name: string | null; address: string } | null
  priority: number
  /** Null: no limit. */
  maxPerSecond: number | null
  rotateWebhookPassword?: boolean
}

/** What DNS says about the domain of a sender. */
export interface DomainFinding {
  domain: string
  /** Null: the server itself, or all of them. */
  integration: string | null
  kind: 'spf' | 'dkim' | 'dmarc'
  verdict: 'ok' | 'missing' | 'wrong' | 'unknown'
  words: string
  found: string[]
  record: { name: string; type: 'TXT'; value: string } | null
}

export interface IntegrationAnswer extends Omit<IntegrationSettings, 'credentials' | 'rotateWebhookPassword'> {
  id: string
  /** The fields of the credentials that are no secrets. */
  account: Record<string, string>
  webhookUrl: string | null
  /** Only in the answer that made them. */
  webhookCredentials?: { username: string; password: string }
  createdAt: string
  updatedAt: string
  state: {
    lastSentAt: string | null
    lastErrorAt: string | null
    lastError: string | null
    lastWebhookAt: string | null
  }
}

export interface IntegrationTestAnswer {
  ok: boolean
  providerMessageId?: string | null
  error?: string
}

/** What a step of a draft is rendered with. */
export interface PreviewRequest {
  stepId: string
  event?: { properties: object; userId?: string }
  user?: { id?: string; email?: string | null; name?: string | null; locale?: string | null; attributes?: object }
}
