// Changes campaigns: create, draft, publish, pause, resume, archive (contract section 6, statuses and versions).

import type { Bus } from '../domain/bus.ts'
import type { Campaign, CampaignDefinition, CampaignStatus, Campaigns, CampaignVersion } from '../domain/campaign.ts'
import { parseDefinition } from '../domain/campaign-definition.ts'
import { ApiError } from '../lib/api-error.ts'
import { type Clock, toIso } from '../lib/clock.ts'
import { encodeCursor, parseCursor } from '../lib/cursor.ts'
import { formatId, type IdSource, parseId } from '../lib/id.ts'

/** A campaign on the wire (contract section 6). */
export interface CampaignAnswer {
  id: string
  key: string
  name: string
  category: string | null
  status: CampaignStatus
  currentVersion: number | null
  draft: CampaignDefinition
  createdAt: string
  updatedAt: string
}

export interface VersionAnswer {
  version: number
  publishedAt: string
  definition: CampaignDefinition
}

export interface ListQuery {
  cursor?: string | undefined
  limit: number
}

export interface ChangeCampaign {
  /** Throws `campaign/invalid-definition`, `campaign/key-taken`. */
  create(environmentId: number, definition: unknown): Promise<CampaignAnswer>
  /** Replaces the draft of the next version, whatever the status. The key stays: without one it is the campaign's. */
  putDraft(environmentId: number, campaignId: string, definition: unknown): Promise<CampaignAnswer>
  /** Makes the draft the next version and current. A paused campaign stays paused. */
  publish(environmentId: number, campaignId: string): Promise<CampaignAnswer>
  pause(environmentId: number, campaignId: string): Promise<CampaignAnswer>
  resume(environmentId: number, campaignId: string): Promise<CampaignAnswer>
  archive(environmentId: number, campaignId: string): Promise<CampaignAnswer>
  /** Throws `campaign/not-found`. */
  get(environmentId: number, campaignId: string): Promise<CampaignAnswer>
  list(environmentId: number, query: ListQuery): Promise<{ data: CampaignAnswer[]; nextCursor: string | null }>
  listVersions(
    environmentId: number,
    campaignId: string,
    query: ListQuery,
  ): Promise<{ data: VersionAnswer[]; nextCursor: string | null }>
  getVersion(environmentId: number, campaignId: string, version: number): Promise<VersionAnswer>
}

export interface ChangeCampaignDeps {
  campaigns: Campaigns
  bus: Pick<Bus, 'publish'>
  clock: Clock
  ids: { campaign: IdSource }
}

/** To where each action leads from each status; what is absent is refused. */
const TRANSITIONS = {
  publish: { to: 'active', from: { draft: 'active', active: 'active', paused: 'paused' } },
  pause: { to: 'paused', from: { active: 'paused' } },
  resume: { to: 'active', from: { paused: 'active' } },
  archive: { to: 'archived', from: { draft: 'archived', active: 'archived', paused: 'archived' } },
} as const satisfies Record<string, { to: CampaignStatus; from: Partial<Record<CampaignStatus, CampaignStatus>> }>
type Action = keyof typeof TRANSITIONS

const campaignsOf = (environmentId: number) => ({ list: 'campaigns', of: environmentId })
const versionsOf = (campaignId: number) => ({ list: 'versions', of: campaignId })

/** The campaign of a wire id. Throws `campaign/not-found`. */
export async function getCampaign(
  campaigns: Pick<Campaigns, 'find'>,
  environmentId: number,
  campaignId: string,
): Promise<Campaign> {
  const id = parseId('campaign', campaignId)
  const campaign = id === undefined ? undefined : await campaigns.find(environmentId, id)
  if (campaign === undefined) throw new ApiError('campaign/not-found')
  return campaign
}

export function createChangeCampaign(deps: ChangeCampaignDeps): ChangeCampaign {
  const oneAtATime = createQueues()
  const act = (action: Action) => (environmentId: number, campaignId: string) =>
    oneAtATime(campaignId, () => transit(deps, action, environmentId, campaignId))
  return {
    ...createReads(deps.campaigns),
    create: (environmentId, input) => create(deps, environmentId, input),
    putDraft: (environmentId, campaignId, input) =>
      oneAtATime(campaignId, () => putDraft(deps, environmentId, campaignId, input)),
    publish: act('publish'),
    pause: act('pause'),
    resume: act('resume'),
    archive: act('archive'),
  }
}

type Reads = Pick<ChangeCampaign, 'get' | 'list' | 'listVersions' | 'getVersion'>

function createReads(campaigns: Campaigns): Reads {
  return {
    get: async (environmentId, campaignId) => toAnswer(await getCampaign(campaigns, environmentId, campaignId)),
    async list(environmentId, { cursor, limit }) {
      const page = await campaigns.list(environmentId, parseCursor(campaignsOf(environmentId), cursor), limit + 1)
      const last = page.length > limit ? page[limit - 1] : undefined
      const nextCursor = last === undefined ? null : encodeCursor(campaignsOf(environmentId), last.id)
      return { data: page.slice(0, limit).map(toAnswer), nextCursor }
    },
    async listVersions(environmentId, campaignId, { cursor, limit }) {
      const { id } = await getCampaign(campaigns, environmentId, campaignId)
      const page = await campaigns.listVersions(id, parseCursor(versionsOf(id), cursor), limit + 1)
      const last = page.length > limit ? page[limit - 1] : undefined
      const nextCursor = last === undefined ? null : encodeCursor(versionsOf(id), last.version)
      return { data: page.slice(0, limit).map(toVersionAnswer), nextCursor }
    },
    async getVersion(environmentId, campaignId, version) {
      const { id } = await getCampaign(campaigns, environmentId, campaignId)
      const found = Number.isSafeInteger(version) ? await campaigns.findVersion(id, version) : undefined
      if (found === undefined) throw new ApiError('campaign/not-found')
      return toVersionAnswer(found)
    },
  }
}

async function create(deps: ChangeCampaignDeps, environmentId: number, input: unknown): Promise<CampaignAnswer> {
  const draft = parseDefinition(input)
  const now = deps.clock.now()
  const { key, name, category } = draft
  const state = { status: 'draft', currentVersion: null, draft, createdAt: now, updatedAt: now } as const
  const campaign: Campaign = { id: deps.ids.campaign.next(), environmentId, key, name, category, ...state }
  if (!(await deps.campaigns.insertOnce(campaign))) throw new ApiError('campaign/key-taken')
  return toAnswer(campaign)
}

async function putDraft(
  deps: ChangeCampaignDeps,
  environmentId: number,
  campaignId: string,
  input: unknown,
): Promise<CampaignAnswer> {
  const campaign = await getCampaign(deps.campaigns, environmentId, campaignId)
  const draft = parseDefinition(withKey(input, campaign.key))
  if (draft.key !== campaign.key) {
    throw new ApiError('campaign/invalid-definition', {
      details: [{ path: 'key', message: `The key of a campaign stays; this one is ${campaign.key}.` }],
    })
  }
  const { name, category } = draft
  return save(deps, { ...campaign, name, category, draft, updatedAt: deps.clock.now() }, campaign.status, null)
}

async function transit(
  deps: ChangeCampaignDeps,
  action: Action,
  environmentId: number,
  campaignId: string,
): Promise<CampaignAnswer> {
  const campaign = await getCampaign(deps.campaigns, environmentId, campaignId)
  const now = deps.clock.now()
  const changed = { ...campaign, status: nextStatus(action, campaign.status), updatedAt: now }
  if (action !== 'publish') return save(deps, changed, campaign.status, null)
  const version = (campaign.currentVersion ?? 0) + 1
  // Read anew: a draft that was saved by an older release is held to the rules of this one.
  const definition = parseDefinition(campaign.draft)
  const published: CampaignVersion = { campaignId: campaign.id, version, publishedAt: now, definition }
  return save(deps, { ...changed, currentVersion: version }, campaign.status, published)
}

async function save(
  { campaigns, bus }: ChangeCampaignDeps,
  campaign: Campaign,
  from: CampaignStatus,
  publishes: CampaignVersion | null,
): Promise<CampaignAnswer> {
  const isSaved = await campaigns.save(campaign, from, publishes)
  if (!isSaved)
    throw new ApiError('request/conflict', { message: 'The campaign was changed meanwhile. Read it and try again.' })
  bus.publish('campaigns-changed', { environmentId: campaign.environmentId })
  return toAnswer(campaign)
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

function toAnswer(campaign: Campaign): CampaignAnswer {
  const { key, name, category, status, currentVersion, draft } = campaign
  const id = formatId('campaign', campaign.id)
  const times = { createdAt: toIso(campaign.createdAt), updatedAt: toIso(campaign.updatedAt) }
  return { id, key, name, category, status, currentVersion, draft, ...times }
}

function toVersionAnswer({ version, publishedAt, definition }: CampaignVersion): VersionAnswer {
  return { version, publishedAt: toIso(publishedAt), definition }
}
