// Describes the campaign's record and versions, and their store.

import type { CampaignStatus } from '../../contract/campaign-status.ts'
import type { PublishState } from '../../contract/resources/campaign.ts'
import type { AuditEntry } from './audit.ts'
import type { CampaignTexts } from './campaign-texts.ts'
import type { NewJob } from './job.ts'
import type { Revised } from './tenant/revised.ts'

export type { CampaignStatus }

export interface CampaignFilter {
  status?: CampaignStatus | undefined
  pendingPublish?: PublishState | undefined
  /** A part of the name or the key, in any case of A to Z. */
  q?: string | undefined
}

/** A step as it is stored; only its type knows its other fields. */
export interface StoredStep {
  id: string
  type: string
  [field: string]: unknown
}

/** A definition that was checked when it was saved. Stores do not change it. */
export interface StoredDefinition {
  key: string
  name: string
  category: string | null
  notificationConfigId: string | null
  /** ISO 8601 duration. */
  maxLateness: string
  trigger: { event: string; where?: string | null | undefined }
  steps: StoredStep[]
}

/** What a person asked to publish, where a second person must approve it. */
export interface PublishRequest {
  /** The e-mail address of the person, as in the audit log. */
  askedBy: string
  askedAt: number
  note: string | null
  /** The revision of the campaign with the request, which names it. */
  revision: number
  /** Who declined it, or changed the draft or its texts; null while it waits, and where that is not known. */
  endedBy: string | null
  endedAt: number | null
  /** Why it was declined, or which texts have changed. */
  reason: string | null
  /** Hashes by name of the texts that the draft used then; absent: it uses none. */
  texts?: Readonly<Record<string, string>>
}

/** Null without a request. */
export interface AskedPublish {
  publishState: PublishState | null
  publishRequest: PublishRequest | null
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
  /** End of the last pause, or null (epoch ms). Waits that were due by then fell due during the pause, or before. */
  resumedAt: number | null
  draft: StoredDefinition
  createdAt: number
  updatedAt: number
}

/** A campaign as it is read to be changed. */
export type StoredCampaign = Revised<Campaign> & AskedPublish

export interface CampaignVersion {
  campaignId: number
  version: number
  publishedAt: number
  definition: StoredDefinition
  /** Absent: it uses none. */
  texts?: CampaignTexts
  /** As in the audit log; absent of the demo's. */
  publishedBy?: string
  /** What the publisher wrote; absent without one. */
  note?: string
}

/** A published version, with the names of the events that its steps wait for. */
export interface NewVersion extends CampaignVersion {
  awaits: string[]
}

/** The campaign's fields that a run reads. */
export type CampaignHead = Pick<Campaign, 'id' | 'environmentId' | 'key' | 'status' | 'drains' | 'resumedAt'>

/** Of the current versions of an environment's active and paused campaigns, with their texts: they are in memory together. */
export const LIVE_BYTES = 32 * 1024 * 1024

/** A current version of an active or paused campaign, which events are matched against. */
export interface LiveCampaign {
  campaign: Omit<Campaign, 'draft'>
  version: number
  definition: StoredDefinition
  texts?: CampaignTexts
}

/** Newest first; fewer than asked for where they are large. `next`: `before` of the next page; null at the end. */
export interface CutPage<T> {
  data: T[]
  next: number | null
}

export interface Campaigns {
  /** False when the key is in use. Writes the audit entry, if given, in the same transaction. */
  insertOnce(campaign: Campaign, audit?: AuditEntry): Promise<boolean>
  find(environmentId: number, id: number): Promise<StoredCampaign | undefined>
  findByKey(environmentId: number, key: string): Promise<Campaign | undefined>
  list(
    environmentId: number,
    before: number | null,
    limit: number,
    filter?: CampaignFilter,
  ): Promise<CutPage<StoredCampaign>>
  /** Counts the campaigns of each status; one without campaigns is absent. `waiting`: those with a waiting request. */
  count(
    environmentId: number,
    filter: Pick<CampaignFilter, 'q'>,
  ): Promise<{ byStatus: Map<CampaignStatus, number>; waiting: number }>
  /**
   * Writes name, category, status, current version, draft and request. In the same transaction, `publishes` adds a version, and
   * `job` is stored if the campaign has waiting runs. False when the campaign was changed since it was read; `full` when the
   * live campaigns of the environment would have more than `LIVE_BYTES`.
   */
  save(
    campaign: Revised<Campaign> & Partial<AskedPublish>,
    publishes: NewVersion | null,
    audit?: AuditEntry,
    job?: NewJob,
  ): Promise<boolean | 'full'>
  listVersions(
    environmentId: number,
    campaignId: number,
    before: number | null,
    limit: number,
  ): Promise<CutPage<CampaignVersion>>
  findVersion(environmentId: number, campaignId: number, version: number): Promise<CampaignVersion | undefined>
  /** Reads a few at a time. `known`: versions that the caller has, which are not read again. */
  listLive(
    environmentId: number,
    known?: (campaignId: number, version: number) => Pick<LiveCampaign, 'definition' | 'texts'> | undefined,
  ): Promise<LiveCampaign[]>
}
