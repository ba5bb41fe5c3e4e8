// The campaign: its record, versions and definition (contract section 6).

import type { ActionStyle, Priority } from '../../contract/delivery.ts'
import type { AuditEntry } from './audit.ts'
import type { NewJob } from './job.ts'
import type { Json } from './json.ts'

export type CampaignStatus = 'draft' | 'active' | 'paused' | 'archived'

/** An inbox step as written by the customer. Strings are Liquid templates unless said otherwise. */
export interface InboxStep {
  id: string
  type: 'inbox'
  title: string
  body?: string
  bodyFormat?: 'text' | 'markdown'
  link?: string | null
  actions?: { label: string; link?: string | null; style?: ActionStyle }[]
  icon?: string | null
  imageUrl?: string | null
  priority?: Priority
  entity?: string | null
  collapseKey?: string | null
  /** ISO 8601 duration. */
  expiresAfter?: string | null
  data?: Record<string, Json>
  locales?: Record<string, { title?: string; body?: string }>
}

/** Strings are Liquid templates, but for `unless`. Exactly one of `html` and `markdown`. */
export interface EmailStep {
  id: string
  type: 'email'
  subject: string
  html?: string
  markdown?: string
  text?: string
  preheader?: string
  /** Not sent to who has read the message of that inbox step. */
  unless?: { read: string }
}

export interface Branch {
  key: string
  when?: string
  weight?: number
  else?: boolean
  steps: Step[]
}

export interface BranchStep {
  id: string
  type: 'branch'
  branches: Branch[]
}

/** Exactly one of `for` (ISO 8601 duration), `until` (a template of a time) and `untilQuietHoursEnd`. */
export interface DelayStep {
  id: string
  type: 'delay'
  for?: string
  until?: string
  untilQuietHoursEnd?: true
}

/** Waits for another event of the same user. */
export interface WaitForStep {
  id: string
  type: 'waitFor'
  event: string
  /** CEL, over `awaited` too. */
  where?: string
  /** ISO 8601 duration. */
  timeout: string
  then: Step[]
  onTimeout: Step[]
}

/** Asks an enricher; its answer is `enriched.<id>`. */
export interface EnrichStep {
  id: string
  type: 'enrich'
  enricher: string
  /** Strings in it are Liquid templates. */
  params: Record<string, Json>
  onError?: 'stop' | 'continue'
}

export interface ExitStep {
  id: string
  type: 'exit'
  reason?: string
}

/** Gathers the events of a window for one run. */
export interface DigestStep {
  id: string
  type: 'digest'
  /** ISO 8601 duration. */
  window: string
  /** Liquid template: events of another key are gathered apart. */
  key?: string | null
  max?: number
}

/** Lets so many runs of a user go past in a window. */
export interface ThrottleStep {
  id: string
  type: 'throttle'
  limit: number
  /** ISO 8601 duration. */
  window: string
}

/** The steps that run today; the others of contract section 6 join this union. */
export type Step =
  | InboxStep
  | EmailStep
  | BranchStep
  | DelayStep
  | EnrichStep
  | WaitForStep
  | ExitStep
  | ThrottleStep
  | DigestStep

export interface CampaignDefinition {
  key: string
  name: string
  category: string | null
  notificationConfigId: string | null
  maxLateness: string
  trigger: { event: string; where?: string }
  steps: Step[]
}

export interface Campaign {
  id: number
  environmentId: number
  key: string
  name: string
  category: string | null
  status: CampaignStatus
  currentVersion: number | null
  /** Archived, but its waiting runs may finish. */
  drains: boolean
  draft: CampaignDefinition
  createdAt: number
  updatedAt: number
}

export interface CampaignVersion {
  campaignId: number
  version: number
  publishedAt: number
  definition: CampaignDefinition
}

/** What a run asks of its campaign. */
export type CampaignHead = Pick<Campaign, 'id' | 'environmentId' | 'key' | 'status' | 'drains'>

/** A current version of an active or paused campaign: what events are matched against. */
export interface LiveCampaign {
  campaign: Campaign
  version: number
  definition: CampaignDefinition
}

export interface Campaigns {
  /** False when the key is taken. The audit entry, where there is one, is written in the same transaction. */
  insertOnce(campaign: Campaign, audit?: AuditEntry): Promise<boolean>
  find(environmentId: number, id: number): Promise<Campaign | undefined>
  findByKey(environmentId: number, key: string): Promise<Campaign | undefined>
  list(environmentId: number, before: number | null, limit: number): Promise<Campaign[]>
  /** Writes name, category, status, current version and draft; `publishes` adds a version, `job` goes on with its waiting runs if there are any, in the same transaction. False when the status is no longer `from`. */
  save(
    campaign: Campaign,
    from: CampaignStatus,
    publishes: CampaignVersion | null,
    audit?: AuditEntry,
    job?: NewJob,
  ): Promise<boolean>
  listVersions(campaignId: number, before: number | null, limit: number): Promise<CampaignVersion[]>
  findVersion(campaignId: number, version: number): Promise<CampaignVersion | undefined>
  listLive(environmentId: number): Promise<LiveCampaign[]>
}
