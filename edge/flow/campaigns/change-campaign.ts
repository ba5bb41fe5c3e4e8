// Changes campaigns: create, draft, publish, pause, resume, archive. Each change is audited in its own transaction.

import type { MailWarning } from '../../../contract/resources/mail.ts'
import { compileCampaign } from '../../campaign/compile.ts'
import { listAwaited } from '../../campaign/walk.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Campaign, CampaignStatus, NewVersion } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { NewJob } from '../../domain/job.ts'
import type { Revised, TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { differenceOf, isSameJson } from '../../lib/difference.ts'
import { formatId, type IdSource } from '../../lib/id.ts'
import { releaseJob } from '../resume/release-waits.ts'
import { changeStored } from '../tenant/change-stored.ts'
import { requireRevision } from '../tenant/require-revision.ts'
import { type CheckDraft, checkDraftOf } from './check-draft.ts'
import {
  type CampaignWithDraft,
  createReadCampaigns,
  getCampaign,
  type ReadCampaigns,
  toAnswer,
} from './read-campaigns.ts'

/** With what its author should know of its texts and enrichers; saved all the same. */
export type SavedCampaign = CampaignWithDraft & { warnings: MailWarning[] }

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
  /** Makes the draft the next version and current. A paused campaign stays paused. */
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

/** Maps each action and status to the next status; absent ones are refused. */
const TRANSITIONS = {
  publish: { to: 'active', from: { draft: 'active', active: 'active', paused: 'paused' } },
  pause: { to: 'paused', from: { active: 'paused' } },
  resume: { to: 'active', from: { paused: 'active' } },
  archive: { to: 'archived', from: { draft: 'archived', active: 'archived', paused: 'archived' } },
} as const satisfies Record<string, { to: CampaignStatus; from: Partial<Record<CampaignStatus, CampaignStatus>> }>
type Action = keyof typeof TRANSITIONS

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
      changeStored('campaign', () => publish(deps, environmentId, campaignId, by, takes, note)),
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
  return { ...toAnswer({ ...campaign, revision: 0 }), warnings: chosen.warnings }
}

/** @throws `campaign/not-found`, and `request/conflict` for a revision that the caller does not take */
async function getTaken(
  { campaigns, audit }: Taken,
  environmentId: number,
  campaignId: string,
  takes: TakesRevision | undefined,
): Promise<Revised<Campaign>> {
  const campaign = await getCampaign(campaigns, environmentId, campaignId)
  const entries = { environmentId, action: 'campaign', subject: campaign.key }
  await requireRevision(audit, takes, campaign, { noun: 'campaign', ...entries })
  return campaign
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
  const changed = { ...campaign, name, category, draft, updatedAt: deps.clock.now() }
  const difference = shorten(differenceOf(campaign.draft, draft))
  if (isSameJson(campaign.draft, draft)) return { ...toAnswer(campaign), warnings: chosen.warnings }
  const saved = await save(deps, changed, null, auditOf(changed, 'change', by, { difference }))
  return saved && { ...saved, warnings: chosen.warnings }
}

async function publish(
  deps: Taken,
  environmentId: number,
  campaignId: string,
  by: ChangedBy,
  takes?: TakesRevision,
  note?: string,
): Promise<SavedCampaign | undefined> {
  const campaign = await getTaken(deps, environmentId, campaignId, takes)
  const changed = changeStatus(campaign, 'publish', deps.clock.now())
  const [newest] = await deps.campaigns.listVersions(environmentId, campaign.id, null, 1)
  const version = (newest?.version ?? 0) + 1
  // Parsed again, because an older release may have saved the draft under other rules.
  const { draft: definition, chosen } = await deps.checkDraft(environmentId, campaign.draft)
  const awaits = listAwaited(compileCampaign({ campaign: changed, version, definition }).steps)
  const identity = { campaignId: campaign.id, version, publishedAt: changed.updatedAt, publishedBy: by.who }
  const written = { ...(chosen.texts && { texts: chosen.texts }), ...(note !== undefined && { note }) }
  const published: NewVersion = { ...identity, definition, awaits, ...written }
  const facts = { from: campaign.status, fromVersion: campaign.currentVersion, version, ...(note && { note }) }
  const saved = await save(
    deps,
    { ...changed, currentVersion: version },
    published,
    auditOf(changed, 'publish', by, facts),
  )
  return saved && { ...saved, warnings: chosen.warnings }
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
  const changed = changeStatus(campaign, action, deps.clock.now(), drains)
  const facts = { from: campaign.status, version: campaign.currentVersion, ...(action === 'archive' && { drains }) }
  return save(deps, changed, null, auditOf(changed, action, by, facts), jobAfter(deps, action, changed))
}

/** @throws `campaign/invalid-transition` */
function changeStatus(campaign: Revised<Campaign>, action: Action, now: number, drains = false): Revised<Campaign> {
  const status = nextStatus(action, campaign.status)
  const resumedAt = campaign.status === 'paused' && status !== 'paused' ? now : campaign.resumedAt
  return { ...campaign, status, drains, resumedAt, updatedAt: now }
}

/** @returns Undefined when the campaign was changed since it was read. */
async function save(
  { campaigns, bus, pollJobs }: Taken,
  campaign: Revised<Campaign>,
  publishes: NewVersion | null,
  entry: AuditEntry,
  job?: NewJob,
): Promise<CampaignWithDraft | undefined> {
  if (!(await campaigns.save(campaign, publishes, entry, job))) return undefined
  bus.publish('campaigns-changed', { environmentId: campaign.environmentId })
  if (job !== undefined) pollJobs()
  return toAnswer({ ...campaign, revision: campaign.revision + 1 })
}

/** Returns the job for waiting runs: after a pause parked ones continue, after an archiving they are cancelled. */
function jobAfter({ ids, clock }: Taken, action: Action, { id, environmentId, drains }: Campaign): NewJob | undefined {
  if (action !== 'resume' && action !== 'archive') return undefined
  const which = action === 'archive' && !drains ? 'all' : 'parked'
  return releaseJob(ids.job.next(), environmentId, { campaignId: id, which }, clock.now())
}

/** Builds the audit entry of `campaign` after the change. */
function auditOf(campaign: Campaign, verb: string, by: ChangedBy, facts: AuditEntry['detail']): AuditEntry {
  const { id, key, environmentId, status, updatedAt } = campaign
  const detail = { campaignId: formatId('campaign', id), ...facts, status }
  return { at: updatedAt, ...by, action: `campaign.${verb}`, environmentId, subject: key, detail }
}

function shorten(lines: string[]): string {
  const text = lines.join('\n')
  return text.length <= DIFFERENCE_CHARS ? text : `${text.slice(0, DIFFERENCE_CHARS)}…`
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
