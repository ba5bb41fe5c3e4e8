// Reads campaigns and their versions.

import { CAMPAIGN_STATUSES } from '../../../contract/campaign-status.ts'
import type {
  CampaignAnswer,
  CampaignCountsAnswer,
  CampaignVersionAnswer,
  PendingPublish,
} from '../../../contract/resources/campaign.ts'
import type { PageQuery } from '../../../contract/resources/page.ts'
import type {
  AskedPublish,
  Campaign,
  CampaignFilter,
  Campaigns,
  CampaignVersion,
  StoredCampaign,
  StoredDefinition,
} from '../../domain/campaign.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { formatId, parseId } from '../../lib/id.ts'

// The definitions were parsed when they were saved.
export type CampaignWithDraft = Omit<CampaignAnswer, 'draft'> & { draft: StoredDefinition }
type VersionAnswer = Omit<CampaignVersionAnswer, 'definition'> & { definition: StoredDefinition }

export interface ReadCampaigns {
  /** @throws `campaign/not-found` */
  get(environmentId: number, campaignId: string): Promise<CampaignWithDraft>
  list(
    environmentId: number,
    query: PageQuery & CampaignFilter,
  ): Promise<{ data: CampaignWithDraft[]; nextCursor: string | null }>
  count(environmentId: number, filter: Pick<CampaignFilter, 'q'>): Promise<CampaignCountsAnswer>
  listVersions(
    environmentId: number,
    campaignId: string,
    query: PageQuery,
  ): Promise<{ data: VersionAnswer[]; nextCursor: string | null }>
  getVersion(environmentId: number, campaignId: string, version: number): Promise<VersionAnswer>
}

const campaignsOf = (environmentId: number) => ({ list: 'campaigns', of: environmentId })
const versionsOf = (campaignId: number) => ({ list: 'versions', of: campaignId })

/** Returns the campaign of a wire id. @throws `campaign/not-found` */
export async function getCampaign(
  campaigns: Pick<Campaigns, 'find'>,
  environmentId: number,
  campaignId: string,
): Promise<StoredCampaign> {
  const id = parseId('campaign', campaignId)
  const campaign = id === undefined ? undefined : await campaigns.find(environmentId, id)
  if (campaign === undefined) throw new ApiError('campaign/not-found')
  return campaign
}

/** Gets the campaign that a filter names by its key or its id. @throws ApiError `campaign/not-found` */
export async function getNamedCampaign(
  campaigns: Pick<Campaigns, 'find' | 'findByKey'>,
  environmentId: number,
  keyOrId: string,
): Promise<Campaign> {
  return (await campaigns.findByKey(environmentId, keyOrId)) ?? getCampaign(campaigns, environmentId, keyOrId)
}

export function createReadCampaigns(campaigns: Campaigns): ReadCampaigns {
  return {
    get: async (environmentId, campaignId) => toAnswer(await getCampaign(campaigns, environmentId, campaignId)),
    async list(environmentId, { cursor, limit, ...filter }) {
      const before = parseCursor(campaignsOf(environmentId), cursor)
      const { data, next } = await campaigns.list(environmentId, before, limit, filter)
      const nextCursor = next === null ? null : encodeCursor(campaignsOf(environmentId), next)
      return { data: data.map(toAnswer), nextCursor }
    },
    async count(environmentId, filter) {
      const found = await campaigns.count(environmentId, filter)
      const { byStatus, waiting: awaitingApproval } = found
      const [draft = 0, active = 0, paused = 0, archived = 0] = CAMPAIGN_STATUSES.map((status) => byStatus.get(status))
      return { total: draft + active + paused + archived, draft, active, paused, archived, awaitingApproval }
    },
    async listVersions(environmentId, campaignId, { cursor, limit }) {
      const { id } = await getCampaign(campaigns, environmentId, campaignId)
      const before = parseCursor(versionsOf(id), cursor)
      const { data, next } = await campaigns.listVersions(environmentId, id, before, limit)
      const nextCursor = next === null ? null : encodeCursor(versionsOf(id), next)
      return { data: data.map(toVersionAnswer), nextCursor }
    },
    async getVersion(environmentId, campaignId, version) {
      const { id } = await getCampaign(campaigns, environmentId, campaignId)
      const found = Number.isSafeInteger(version) ? await campaigns.findVersion(environmentId, id, version) : undefined
      if (found === undefined) throw new ApiError('campaign/not-found')
      return toVersionAnswer(found)
    },
  }
}

/** Converts a campaign to its wire shape. */
export function toAnswer(campaign: StoredCampaign): CampaignWithDraft {
  const { key, name, category, status, currentVersion, draft, revision } = campaign
  const id = formatId('campaign', campaign.id)
  const pendingPublish = toPending(campaign)
  const times = { createdAt: toIso(campaign.createdAt), updatedAt: toIso(campaign.updatedAt) }
  const asked = pendingPublish !== undefined && { pendingPublish }
  return { id, key, name, category, status, currentVersion, draft, ...asked, revision, ...times }
}

function toPending({ publishState: state, publishRequest }: AskedPublish): PendingPublish | undefined {
  if (state === null || publishRequest === null) return undefined
  const { askedAt, endedAt, texts: _, ...request } = publishRequest
  return { state, ...request, askedAt: toIso(askedAt), endedAt: toIso(endedAt) }
}

function toVersionAnswer({ version, publishedAt, publishedBy, note, definition }: CampaignVersion): VersionAnswer {
  return { version, publishedAt: toIso(publishedAt), publishedBy: publishedBy ?? null, note: note ?? null, definition }
}
