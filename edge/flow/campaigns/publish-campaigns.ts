// Publishes drafts for whoever may, and has a second person approve them where the environment asks for that.

import { callerName } from '../../../contract/caller-name.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { PublishRequest, StoredCampaign } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { changeStored } from '../tenant/change-stored.ts'
import { hashTexts } from '../texts/hash-texts.ts'
import type { CheckDraft } from './check-draft.ts'
import { type EndChanged, endRequest, whyChanged } from './end-changed.ts'
import { planPublish, publishDraft, publishPlanned } from './publish-draft.ts'
import {
  type Publisher,
  type PublishRight,
  publishRightOf,
  requireApprover,
  requireWithdrawer,
} from './publish-right.ts'
import { type CampaignWithDraft, getCampaign } from './read-campaigns.ts'
import { auditOf, getTaken, NOT_ASKED, type SavedCampaign, save } from './save-campaign.ts'

/** A request that begins to wait. */
export interface Asked {
  environment: Environment
  campaign: CampaignWithDraft
  askedBy: string
  note: string | undefined
}

type Taken = Pick<Core, 'campaigns' | 'environments' | 'audit' | 'bus' | 'clock'> & {
  checkDraft: CheckDraft
  endChanged: EndChanged
  /** Tells those who can approve it, without waiting for a mail server. */
  onAsked(asked: Asked): void
}

export type PublishCampaigns = ReturnType<typeof createPublishCampaigns>

export function createPublishCampaigns(deps: Taken) {
  /** Read anew: a key that is kept in memory may have a former setting. */
  async function getRules(environmentId: number): Promise<Environment> {
    const environment = await deps.environments.find(environmentId)
    if (environment === undefined) throw new ApiError('request/not-found')
    return environment
  }

  /** Answers the request that the caller has read; of two answers at once, one finds none any more. */
  function answer<T>(
    environmentId: number,
    campaignId: string,
    revision: number,
    round: (campaign: StoredCampaign, request: PublishRequest, environment: Environment) => Promise<T | undefined>,
  ): Promise<T> {
    return changeStored('campaign', async () => {
      const campaign = await getCampaign(deps.campaigns, environmentId, campaignId)
      const request = requireRequest(campaign, revision)
      return round(campaign, request, await getRules(environmentId))
    })
  }

  /** Ends a request without publishing. */
  function end(
    campaign: StoredCampaign,
    changed: Partial<StoredCampaign>,
    { verb, publisher, facts }: { verb: string; publisher: Publisher; facts: AuditEntry['detail'] },
  ): Promise<CampaignWithDraft | undefined> {
    const next = { ...campaign, ...changed, updatedAt: deps.clock.now() }
    return save(deps, next, null, auditOf(next, verb, publisher.by, facts))
  }

  return {
    /** Throws `authorization/not-allowed` for whoever may neither publish in the environment nor ask for it. */
    async getRight(environmentId: number, publisher: Publisher): Promise<PublishRight> {
      return publishRightOf(await getRules(environmentId), publisher)
    },
    /**
     * Publishes the draft, or asks a second person: then `pendingPublish` waits, and the current version stays.
     * Throws `authorization/not-allowed`, `campaign/not-found`, `campaign/invalid-transition`,
     * `campaign/invalid-definition`, the 404s of a notification config, and `request/conflict` where a request waits.
     */
    publish(
      environmentId: number,
      campaignId: string,
      publisher: Publisher,
      takes?: TakesRevision,
      note?: string,
    ): Promise<SavedCampaign> {
      return changeStored('campaign', async () => {
        const environment = await getRules(environmentId)
        const right = publishRightOf(environment, publisher)
        const campaign = await getTaken(deps, environmentId, campaignId, takes)
        if (right === 'ask') return ask(deps, environment, campaign, publisher, note)
        const facts: AuditEntry['detail'] = right === 'unasked' ? { withoutApproval: true } : {}
        return publishDraft(deps, campaign, publisher.by, note, facts)
      })
    },
    /**
     * Publishes exactly the draft of a request with its texts. Throws as `publish`, and `request/conflict` unless that
     * request waits; one whose texts have changed ends.
     */
    approve: (environmentId: number, campaignId: string, publisher: Publisher, revision: number) =>
      answer(environmentId, campaignId, revision, async (campaign, request, environment) => {
        requireApprover(environment, publisher, request)
        requireWaiting(campaign, request)
        const { by } = publisher
        const { askedBy, note } = request
        const plan = await planPublish(deps, campaign)
        const reason = whyChanged(request, plan.chosen.texts)
        if (reason === undefined)
          return publishPlanned(deps, campaign, plan, { by, note: note ?? undefined, facts: { askedBy } })
        if ((await endRequest(deps, campaign, { ...request, reason }, by)) === undefined) return undefined
        throw isVoid(reason)
      }),
    /** Ends a request, and keeps why. Throws as `approve`. */
    decline: (
      environmentId: number,
      campaignId: string,
      publisher: Publisher,
      { revision, reason: text }: { revision: number; reason: string },
    ) =>
      answer(environmentId, campaignId, revision, async (campaign, request, environment) => {
        requireApprover(environment, publisher, request)
        requireWaiting(campaign, request)
        const reason = text.trim()
        const ended = { endedBy: publisher.by.who, endedAt: deps.clock.now(), reason }
        const facts = { askedBy: request.askedBy, reason }
        const changed = { publishState: 'declined', publishRequest: { ...request, ...ended } } as const
        return end(campaign, changed, { verb: 'decline-publish', publisher, facts })
      }),
    /** Removes a request, also one that was declined. Throws `authorization/not-allowed`, `request/conflict`. */
    withdraw: (environmentId: number, campaignId: string, publisher: Publisher, revision: number) =>
      answer(environmentId, campaignId, revision, async (campaign, request) => {
        requireWithdrawer(publisher, request)
        const { askedBy } = request
        return end(campaign, NOT_ASKED, { verb: 'withdraw-publish', publisher, facts: { askedBy } })
      }),
  }
}

async function ask(
  deps: Taken,
  environment: Environment,
  campaign: StoredCampaign,
  { by }: Publisher,
  note: string | undefined,
): Promise<SavedCampaign | undefined> {
  const { publishState, publishRequest: waiting } = campaign
  if (publishState === 'waiting' && waiting !== null) {
    throw new ApiError('request/conflict', {
      message: `${waiting.askedBy} has asked already to publish this draft: it waits for approval.`,
      reason: 'asked',
    })
  }
  const { chosen, version } = await planPublish(deps, campaign)
  const askedAt = deps.clock.now()
  const ended = { endedBy: null, endedAt: null, reason: null }
  const texts = hashTexts(chosen.texts)
  const asked = { askedBy: by.who, askedAt, note: note ?? null, revision: campaign.revision + 1, ...ended }
  const request: PublishRequest = { ...asked, ...(texts && { texts }) }
  const next = { ...campaign, publishState: 'waiting', publishRequest: request, updatedAt: askedAt } as const
  const saved = await save(deps, next, null, auditOf(next, 'ask-publish', by, { version, ...(note && { note }) }))
  if (saved === undefined) return undefined
  // One of them may have changed after it was read, and before anybody knew of this request.
  if (texts !== undefined) await deps.endChanged(environment.id, by)
  deps.onAsked({ environment, campaign: saved, askedBy: by.who, note })
  return { ...saved, warnings: chosen.warnings }
}

/** @throws `request/conflict` unless this is the request that the caller has read */
function requireRequest({ publishRequest: request }: StoredCampaign, revision: number): PublishRequest {
  if (request === null) throw gone('Nobody asks to publish it any more: it was published or withdrawn meanwhile.')
  if (request.revision === revision) return request
  throw gone(`${request.askedBy} has asked anew meanwhile, for another draft. Look at that one.`)
}

/** @throws `request/conflict` */
function requireWaiting({ publishState }: StoredCampaign, { endedBy, reason }: PublishRequest): void {
  if (publishState === 'waiting') return
  if (publishState === 'declined') throw gone(`${callerName(endedBy)} has declined it.`)
  throw isVoid(reason ?? `${callerName(endedBy)} has changed the draft after it was asked for.`)
}

const isVoid = (why: string) => gone(`${why} The request is void: ask again.`)

const gone = (message: string) =>
  new ApiError('request/conflict', { message, reason: 'request-ended', details: [{ path: '', message }] })
