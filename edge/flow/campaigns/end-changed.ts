// Ends requests to publish whose texts are others than when they were asked for.

import type { ChangedBy } from '../../domain/audit.ts'
import type { PublishRequest, StoredCampaign } from '../../domain/campaign.ts'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import type { Core } from '../../domain/core.ts'
import { changeStored } from '../tenant/change-stored.ts'
import type { ChooseTexts } from '../texts/choose-texts.ts'
import { changedTexts, hashTexts } from '../texts/hash-texts.ts'
import type { CampaignWithDraft } from './read-campaigns.ts'
import { auditOf, save } from './save-campaign.ts'

const PAGE = 100
/** Texts that are named. */
const MOST_NAMED = 5

type Saves = Pick<Core, 'campaigns' | 'bus' | 'clock'>

/** Ends all of an environment that wait with former texts. */
export type EndChanged = (environmentId: number, by: ChangedBy) => Promise<void>

export function createEndChanged(deps: Saves & { chooseTexts: ChooseTexts }): EndChanged {
  /** @returns Undefined when the campaign was changed since it was read. */
  async function endOne(environmentId: number, id: number, by: ChangedBy): Promise<true | undefined> {
    const campaign = await deps.campaigns.find(environmentId, id)
    const request = campaign?.publishRequest
    if (campaign?.publishState !== 'waiting' || request == null) return true
    const { texts } = await deps.chooseTexts(environmentId, campaign.draft)
    const reason = whyChanged(request, texts)
    if (reason === undefined) return true
    return (await endRequest(deps, campaign, { ...request, reason, endedBy: by.who }, by)) && true
  }

  return async (environmentId, by) => {
    let before: number | null = null
    do {
      const page = await deps.campaigns.list(environmentId, before, PAGE, { pendingPublish: 'waiting' })
      const using = page.data.filter(({ publishRequest }) => publishRequest?.texts !== undefined)
      for (const { id } of using) await changeStored('campaign', () => endOne(environmentId, id, by))
      before = page.next
    } while (before !== null)
  }
}

/** @returns which texts have changed; undefined: none has */
export function whyChanged({ texts: former }: PublishRequest, texts: CampaignTexts | undefined): string | undefined {
  const changed = changedTexts(former, hashTexts(texts))
  if (changed.length === 0) return undefined
  const named = changed.slice(0, MOST_NAMED).map((name) => `the ${name}`)
  const rest = changed.length - named.length
  return `This has changed after it was asked for: ${[...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}.`
}

/** @returns Undefined when the campaign was changed since it was read. */
export function endRequest(
  deps: Saves,
  campaign: StoredCampaign,
  request: PublishRequest,
  by: ChangedBy,
): Promise<CampaignWithDraft | undefined> {
  const now = deps.clock.now()
  const publishRequest = { ...request, endedAt: now }
  const next = { ...campaign, publishState: 'changed', publishRequest, updatedAt: now } as const
  const { askedBy, reason } = request
  return save(deps, next, null, auditOf(next, 'void-publish', by, { askedBy, reason }))
}
