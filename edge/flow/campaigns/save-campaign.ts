// Reads a campaign to change it, decides its next status, and saves it with its audit entry.

import type { MailWarning } from '../../../contract/resources/mail.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import {
  type AskedPublish,
  type Campaign,
  type CampaignStatus,
  LIVE_BYTES,
  type NewVersion,
  type StoredCampaign,
} from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { NewJob } from '../../domain/job.ts'
import type { TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import { requireRevision } from '../tenant/require-revision.ts'
import { type CampaignWithDraft, getCampaign, toAnswer } from './read-campaigns.ts'

/** With what its author should know of its texts and enrichers; saved all the same. */
export type SavedCampaign = CampaignWithDraft & { warnings: MailWarning[] }

/** Maps each action and status to the next status; absent ones are refused. */
const TRANSITIONS = {
  publish: { to: 'active', from: { draft: 'active', active: 'active', paused: 'paused' } },
  pause: { to: 'paused', from: { active: 'paused' } },
  resume: { to: 'active', from: { paused: 'active' } },
  archive: { to: 'archived', from: { draft: 'archived', active: 'archived', paused: 'archived' } },
} as const satisfies Record<string, { to: CampaignStatus; from: Partial<Record<CampaignStatus, CampaignStatus>> }>
export type Action = keyof typeof TRANSITIONS

const TOO_LARGE = `The published campaigns of an environment have at most ${LIVE_BYTES / 1024 / 1024} MiB together. Archive others, or put what their mails share into a layout.`

/** A campaign that asks for nothing. */
export const NOT_ASKED: AskedPublish = { publishState: null, publishRequest: null }

/** @throws `campaign/not-found`, and `request/conflict` for a revision that the caller does not take */
export async function getTaken(
  { campaigns, audit }: Pick<Core, 'campaigns' | 'audit'>,
  environmentId: number,
  campaignId: string,
  takes: TakesRevision | undefined,
): Promise<StoredCampaign> {
  const campaign = await getCampaign(campaigns, environmentId, campaignId)
  const entries = { environmentId, action: 'campaign', subject: campaign.key }
  await requireRevision(audit, takes, campaign, { noun: 'campaign', ...entries })
  return campaign
}

/** @throws `campaign/invalid-transition` */
export function changeStatus(campaign: StoredCampaign, action: Action, now: number, drains = false): StoredCampaign {
  const status = nextStatus(action, campaign.status)
  const resumedAt = campaign.status === 'paused' && status !== 'paused' ? now : campaign.resumedAt
  return { ...campaign, status, drains, resumedAt, updatedAt: now }
}

/** @returns Undefined when the campaign was changed since it was read. */
export async function save(
  { campaigns, bus }: Pick<Core, 'campaigns' | 'bus'>,
  campaign: StoredCampaign,
  publishes: NewVersion | null,
  entry: AuditEntry,
  job?: NewJob,
): Promise<CampaignWithDraft | undefined> {
  const saved = await campaigns.save(campaign, publishes, entry, job)
  if (saved === 'full') throw new ApiError('request/conflict', { reason: 'too-large', message: TOO_LARGE })
  if (!saved) return undefined
  bus.publish('campaigns-changed', { environmentId: campaign.environmentId })
  return toAnswer({ ...campaign, revision: campaign.revision + 1 })
}

export function auditOf(campaign: Campaign, verb: string, by: ChangedBy, facts: AuditEntry['detail']): AuditEntry {
  const { id, key, environmentId, status, updatedAt } = campaign
  const detail = { campaignId: formatId('campaign', id), ...facts, status }
  return { at: updatedAt, ...by, action: `campaign.${verb}`, environmentId, subject: key, detail }
}

/** @throws `campaign/invalid-transition` with `from` and `to` */
function nextStatus(action: Action, from: CampaignStatus): CampaignStatus {
  const transition: { to: CampaignStatus; from: Partial<Record<CampaignStatus, CampaignStatus>> } = TRANSITIONS[action]
  const next = transition.from[from]
  if (next !== undefined) return next
  throw new ApiError('campaign/invalid-transition', {
    message: `A campaign that is ${from} cannot become ${transition.to}.`,
    from,
    to: transition.to,
  })
}
