// Changes campaigns: create, draft, publish, pause, resume, archive. Each change is audited in its own transaction.

import type { ChangedBy } from '../../domain/audit.ts'
import type { Campaign, StoredCampaign } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { NewJob } from '../../domain/job.ts'
import type { TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { differenceOf, isSameJson } from '../../lib/difference.ts'
import type { IdSource } from '../../lib/id.ts'
import { releaseJob } from '../resume/release-waits.ts'
import { changeStored } from '../tenant/change-stored.ts'
import { type CheckDraft, checkDraftOf } from './check-draft.ts'
import { publishDraft } from './publish-draft.ts'
import { type CampaignWithDraft, createReadCampaigns, type ReadCampaigns, toAnswer } from './read-campaigns.ts'
import { type Action, auditOf, changeStatus, getTaken, NOT_ASKED, type SavedCampaign, save } from './save-campaign.ts'

/** Changes throw `request/conflict` where `takes` does not take the stored revision; without it they take any. */
export interface ChangeCampaign extends ReadCampaigns {
  /** @throws `campaign/invalid-definition`, `campaign/key-taken`, and the 404s of a notification config */
  create(environmentId: number, definition: unknown, by: ChangedBy): Promise<SavedCampaign>
  /** Replaces the draft of the next version in any status. The key never changes; a draft may omit it. */
  putDraft(
    environmentId: number,
    campaignId: string,
    definition: unknown,
    by: ChangedBy,
    takes?: TakesRevision,
  ): Promise<SavedCampaign>
  /**
   * Makes the draft the next version and current, whoever asks: `publish-campaigns.ts` decides who may. A paused campaign
   * stays paused.
   */
  publish(
    environmentId: number,
    campaignId: string,
    by: ChangedBy,
    takes?: TakesRevision,
    /** Why, for whoever reads the versions. */
    note?: string,
  ): Promise<SavedCampaign>
  pause(environmentId: number, campaignId: string, by: ChangedBy, takes?: TakesRevision): Promise<CampaignWithDraft>
  resume(environmentId: number, campaignId: string, by: ChangedBy, takes?: TakesRevision): Promise<CampaignWithDraft>
  /** Cancels waiting runs, unless `drains`. */
  archive(
    environmentId: number,
    campaignId: string,
    by: ChangedBy,
    drains?: boolean,
    takes?: TakesRevision,
  ): Promise<CampaignWithDraft>
}

type Taken = Pick<Core, 'campaigns' | 'audit' | 'bus' | 'clock'> & {
  checkDraft: CheckDraft
  ids: { campaign: IdSource; job: IdSource }
  /** Makes the worker claim jobs at once, because waiting runs may continue. */
  pollJobs(): void
}

/** Limits the characters of a difference in the audit log, because a draft may be as large as a body. */
const DIFFERENCE_CHARS = 4000

export function createChangeCampaign(deps: Taken): ChangeCampaign {
  const act =
    (action: 'pause' | 'resume') => (environmentId: number, campaignId: string, by: ChangedBy, takes?: TakesRevision) =>
      changeStored('campaign', () => transit(deps, { action, drains: false }, environmentId, campaignId, by, takes))
  return {
    ...createReadCampaigns(deps.campaigns),
    create: (environmentId, input, by) => changeStored('campaign', () => create(deps, environmentId, input, by)),
    putDraft: (environmentId, campaignId, input, by, takes) =>
      changeStored('campaign', () => putDraft(deps, environmentId, campaignId, input, by, takes)),
    publish: (environmentId, campaignId, by, takes, note) =>
      changeStored('campaign', async () => {
        const campaign = await getTaken(deps, environmentId, campaignId, takes)
        return publishDraft(deps, campaign, by, note)
      }),
    pause: act('pause'),
    resume: act('resume'),
    archive: (environmentId, campaignId, by, drains = false, takes) =>
      changeStored('campaign', () =>
        transit(deps, { action: 'archive', drains }, environmentId, campaignId, by, takes),
      ),
  }
}

async function create(deps: Taken, environmentId: number, input: unknown, by: ChangedBy): Promise<SavedCampaign> {
  const { draft, chosen } = await deps.checkDraft(environmentId, input)
  const now = deps.clock.now()
  const { key, name, category } = draft
  const state = { status: 'draft', currentVersion: null, drains: false, resumedAt: null } as const
  const identity = { id: deps.ids.campaign.next(), environmentId, key, name, category }
  const campaign: Campaign = { ...identity, ...state, draft, createdAt: now, updatedAt: now }
  const entry = auditOf(campaign, 'create', by, { event: draft.trigger.event, name })
  if (!(await deps.campaigns.insertOnce(campaign, entry))) throw new ApiError('campaign/key-taken')
  return { ...toAnswer({ ...campaign, ...NOT_ASKED, revision: 0 }), warnings: chosen.warnings }
}

async function putDraft(
  deps: Taken,
  environmentId: number,
  campaignId: string,
  input: unknown,
  by: ChangedBy,
  takes?: TakesRevision,
): Promise<SavedCampaign | undefined> {
  const campaign = await getTaken(deps, environmentId, campaignId, takes)
  const { draft, chosen } = await checkDraftOf(deps.checkDraft, campaign, input)
  const { name, category } = draft
  const now = deps.clock.now()
  const changed = { ...campaign, name, category, draft, updatedAt: now, ...askedAfter(campaign, by, now) }
  const difference = shorten(differenceOf(campaign.draft, draft))
  if (isSameJson(campaign.draft, draft)) return { ...toAnswer(campaign), warnings: chosen.warnings }
  const saved = await save(deps, changed, null, auditOf(changed, 'change', by, { difference }))
  return saved && { ...saved, warnings: chosen.warnings }
}

/** Nobody approves another draft than the one that was asked for. */
function askedAfter({ publishState, publishRequest: request }: StoredCampaign, { who }: ChangedBy, now: number) {
  if (publishState !== 'waiting' || request === null) return {}
  return { publishState: 'changed', publishRequest: { ...request, endedBy: who, endedAt: now } } as const
}

async function transit(
  deps: Taken,
  { action, drains }: { action: Exclude<Action, 'publish'>; drains: boolean },
  environmentId: number,
  campaignId: string,
  by: ChangedBy,
  takes?: TakesRevision,
): Promise<CampaignWithDraft | undefined> {
  const campaign = await getTaken(deps, environmentId, campaignId, takes)
  const asked = action === 'archive' ? NOT_ASKED : {}
  const changed = { ...changeStatus(campaign, action, deps.clock.now(), drains), ...asked }
  const facts = { from: campaign.status, version: campaign.currentVersion, ...(action === 'archive' && { drains }) }
  const job = jobAfter(deps, action, changed)
  const saved = await save(deps, changed, null, auditOf(changed, action, by, facts), job)
  if (saved !== undefined && job !== undefined) deps.pollJobs()
  return saved
}

/** Returns the job for waiting runs: after a pause parked ones continue, after an archiving they are cancelled. */
function jobAfter({ ids, clock }: Taken, action: Action, { id, environmentId, drains }: Campaign): NewJob | undefined {
  if (action !== 'resume' && action !== 'archive') return undefined
  const which = action === 'archive' && !drains ? 'all' : 'parked'
  return releaseJob(ids.job.next(), environmentId, { campaignId: id, which }, clock.now())
}

function shorten(lines: string[]): string {
  const text = lines.join('\n')
  return text.length <= DIFFERENCE_CHARS ? text : `${text.slice(0, DIFFERENCE_CHARS)}…`
}
