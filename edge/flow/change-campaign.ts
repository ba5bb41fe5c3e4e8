// Changes campaigns: create, draft, publish, pause, resume, archive (contract section 6, statuses and versions). Each change is audited in its own transaction.

import type { AuditEntry, ChangedBy } from '../domain/audit.ts'
import type { Bus } from '../domain/bus.ts'
import type { Campaign, CampaignDefinition, CampaignStatus, Campaigns, CampaignVersion } from '../domain/campaign.ts'
import { parseDefinition } from '../domain/campaign-definition.ts'
import type { NewJob } from '../domain/job.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { differenceOf } from '../lib/difference.ts'
import { formatId, type IdSource } from '../lib/id.ts'
import {
  type CampaignAnswer,
  createReadCampaigns,
  getCampaign,
  type ReadCampaigns,
  toAnswer,
} from './campaigns/read-campaigns.ts'
import { rouseJob } from './run/rouse-waits.ts'

export interface ChangeCampaign extends ReadCampaigns {
  /** Throws `campaign/invalid-definition`, `campaign/key-taken`, and the 404s of a notification config. */
  create(environmentId: number, definition: unknown, by: ChangedBy): Promise<CampaignAnswer>
  /** Replaces the draft of the next version, whatever the status. The key stays: without one it is the campaign's. */
  putDraft(environmentId: number, campaignId: string, definition: unknown, by: ChangedBy): Promise<CampaignAnswer>
  /** Makes the draft the next version and current. A paused campaign stays paused. */
  publish(environmentId: number, campaignId: string, by: ChangedBy): Promise<CampaignAnswer>
  pause(environmentId: number, campaignId: string, by: ChangedBy): Promise<CampaignAnswer>
  resume(environmentId: number, campaignId: string, by: ChangedBy): Promise<CampaignAnswer>
  /** Runs that wait are cancelled, unless it `drains`. */
  archive(environmentId: number, campaignId: string, by: ChangedBy, drains?: boolean): Promise<CampaignAnswer>
}

export interface ChangeCampaignDeps {
  campaigns: Campaigns
  /** Throws `notification/config-not-found`, or the 404 for another organisation's. */
  checkConfig(environmentId: number, configId: string): Promise<void>
  bus: Pick<Bus, 'publish'>
  clock: Clock
  ids: { campaign: IdSource; job: IdSource }
  /** Runs that waited may go on: the worker looks at once. */
  wakeJobs(): void
}

/** To where each action leads from each status; what is absent is refused. */
const TRANSITIONS = {
  publish: { to: 'active', from: { draft: 'active', active: 'active', paused: 'paused' } },
  pause: { to: 'paused', from: { active: 'paused' } },
  resume: { to: 'active', from: { paused: 'active' } },
  archive: { to: 'archived', from: { draft: 'archived', active: 'archived', paused: 'archived' } },
} as const satisfies Record<string, { to: CampaignStatus; from: Partial<Record<CampaignStatus, CampaignStatus>> }>
type Action = keyof typeof TRANSITIONS

/** Characters of a difference that the audit log keeps: a draft may be as large as a body. */
const DIFFERENCE_CHARS = 4000

export function createChangeCampaign(deps: ChangeCampaignDeps): ChangeCampaign {
  const oneAtATime = createQueues()
  const act =
    (action: Action) =>
    (environmentId: number, campaignId: string, by: ChangedBy, drains = false) =>
      oneAtATime(campaignId, () => transit(deps, { action, drains }, environmentId, campaignId, by))
  return {
    ...createReadCampaigns(deps.campaigns),
    create: (environmentId, input, by) => create(deps, environmentId, input, by),
    putDraft: (environmentId, campaignId, input, by) =>
      oneAtATime(campaignId, () => putDraft(deps, environmentId, campaignId, input, by)),
    publish: act('publish'),
    pause: act('pause'),
    resume: act('resume'),
    archive: act('archive'),
  }
}

async function create(
  deps: ChangeCampaignDeps,
  environmentId: number,
  input: unknown,
  by: ChangedBy,
): Promise<CampaignAnswer> {
  const draft = await parseDraft(deps, environmentId, input)
  const now = deps.clock.now()
  const { key, name, category } = draft
  const state = { status: 'draft', currentVersion: null, drains: false, draft, createdAt: now, updatedAt: now } as const
  const campaign: Campaign = { id: deps.ids.campaign.next(), environmentId, key, name, category, ...state }
  const entry = auditOf(campaign, 'create', by, { event: draft.trigger.event, name })
  if (!(await deps.campaigns.insertOnce(campaign, entry))) throw new ApiError('campaign/key-taken')
  return toAnswer(campaign)
}

async function putDraft(
  deps: ChangeCampaignDeps,
  environmentId: number,
  campaignId: string,
  input: unknown,
  by: ChangedBy,
): Promise<CampaignAnswer> {
  const campaign = await getCampaign(deps.campaigns, environmentId, campaignId)
  const draft = await parseDraft(deps, environmentId, withKey(input, campaign.key))
  if (draft.key !== campaign.key) {
    throw new ApiError('campaign/invalid-definition', {
      details: [{ path: 'key', message: `The key of a campaign stays; this one is ${campaign.key}.` }],
    })
  }
  const { name, category } = draft
  const changed = { ...campaign, name, category, draft, updatedAt: deps.clock.now() }
  const difference = shorten(differenceOf(campaign.draft, draft))
  return save(deps, changed, campaign.status, null, auditOf(changed, 'change', by, { difference }))
}

async function transit(
  deps: ChangeCampaignDeps,
  { action, drains }: { action: Action; drains: boolean },
  environmentId: number,
  campaignId: string,
  by: ChangedBy,
): Promise<CampaignAnswer> {
  const campaign = await getCampaign(deps.campaigns, environmentId, campaignId)
  const now = deps.clock.now()
  const { status: from, currentVersion: fromVersion } = campaign
  const changed = { ...campaign, status: nextStatus(action, from), drains, updatedAt: now }
  if (action !== 'publish') {
    const facts = { from, version: fromVersion, ...(action === 'archive' && { drains }) }
    return save(deps, changed, from, null, auditOf(changed, action, by, facts), jobAfter(deps, action, changed))
  }
  const version = (fromVersion ?? 0) + 1
  // Read anew: a draft that was saved by an older release is held to the rules of this one.
  const definition = await parseDraft(deps, environmentId, campaign.draft)
  const published: CampaignVersion = { campaignId: campaign.id, version, publishedAt: now, definition }
  const entry = auditOf(changed, action, by, { from, fromVersion, version })
  return save(deps, { ...changed, currentVersion: version }, from, published, entry)
}

/** Throws `campaign/invalid-definition`, then what is wrong with its notification config. */
async function parseDraft(
  deps: ChangeCampaignDeps,
  environmentId: number,
  input: unknown,
): Promise<CampaignDefinition> {
  const definition = parseDefinition(input)
  if (definition.notificationConfigId !== null) await deps.checkConfig(environmentId, definition.notificationConfigId)
  return definition
}

async function save(
  { campaigns, bus, wakeJobs }: ChangeCampaignDeps,
  campaign: Campaign,
  from: CampaignStatus,
  publishes: CampaignVersion | null,
  entry: AuditEntry,
  job?: NewJob,
): Promise<CampaignAnswer> {
  const isSaved = await campaigns.save(campaign, from, publishes, entry, job)
  if (!isSaved)
    throw new ApiError('request/conflict', { message: 'The campaign was changed meanwhile. Read it and try again.' })
  bus.publish('campaigns-changed', { environmentId: campaign.environmentId })
  if (job !== undefined) wakeJobs()
  return toAnswer(campaign)
}

/** What a pause had laid aside goes on when it is over or drained; what waits in an archived campaign is cancelled. */
function jobAfter(
  { ids, clock }: ChangeCampaignDeps,
  action: Action,
  { id, environmentId, drains }: Campaign,
): NewJob | undefined {
  if (action !== 'resume' && action !== 'archive') return undefined
  const which = action === 'archive' && !drains ? 'all' : 'parked'
  return rouseJob(ids.job.next(), environmentId, { campaignId: id, which }, clock.now())
}

/** `campaign` as it is after the change. */
function auditOf(campaign: Campaign, verb: string, by: ChangedBy, facts: AuditEntry['detail']): AuditEntry {
  const { id, key, environmentId, status, updatedAt } = campaign
  const detail = { campaignId: formatId('campaign', id), ...facts, status }
  return { at: updatedAt, ...by, action: `campaign.${verb}`, environmentId, subject: key, detail }
}

function shorten(lines: string[]): string {
  const text = lines.join('\n')
  return text.length <= DIFFERENCE_CHARS ? text : `${text.slice(0, DIFFERENCE_CHARS)}…`
}

/** Throws `campaign/invalid-transition` with `from` and `to`. */
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

function withKey(input: unknown, key: string): unknown {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject && !('key' in input) ? { ...input, key } : input
}

/** Runs what concerns one campaign one after another, so that two publishes make two versions. */
function createQueues(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, run) => {
    const result = (last.get(key) ?? Promise.resolve()).then(run, run)
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
    last.set(key, settled)
    return result
  }
}
