// Reads the funnel of a campaign: counters by window and channel, and by branch when a version declares any.

import type { FunnelAnswer } from '../../../contract/api.ts'
import type { Channel, Window } from '../../../contract/delivery.ts'
import { hasBranches } from '../../campaign/definition.ts'
import type { Campaign, Campaigns } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import { type FunnelSlice, sumCounts, toSteps } from '../../domain/delivery/funnel.ts'
import { sinceOf } from '../../domain/delivery/window.ts'
import { createCache } from '../../lib/cache.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'
import { getCampaign } from './read-campaigns.ts'

/** @throws `campaign/not-found` */
export type ReadFunnel = (
  environmentId: number,
  campaignId: string,
  query: { window: Window; channel: Channel },
) => Promise<FunnelAnswer>

const VERSIONS_PAGE = 100
const KEPT_ANSWERS = 1000

export function createReadFunnel(deps: Pick<Core, 'campaigns' | 'funnels' | 'clock'>): ReadFunnel {
  const declaresBranches = createDeclaresBranches(deps.campaigns)

  return async function readFunnel(environmentId, campaignId, { window, channel }) {
    const campaign = await getCampaign(deps.campaigns, environmentId, campaignId)
    const since = sinceOf(window, deps.clock.now())
    const slices = await deps.funnels.slices(environmentId, campaign.id, channel, since)
    const answer: FunnelAnswer = { window, channel, steps: toSteps(sumCounts(slices)) }
    if (await declaresBranches(campaign)) answer.branches = [...slices].sort(byVersionAndBranch).map(toBranch)
    return answer
  }
}

/**
 * Returns whether any published version has a branch step. Versions never change, so the result is valid until the next
 * one.
 */
function createDeclaresBranches(campaigns: Pick<Campaigns, 'listVersions'>): (campaign: Campaign) => Promise<boolean> {
  const known = createCache<number, { version: number | null; declares: boolean }>({ maxSize: KEPT_ANSWERS })

  async function read({ environmentId, id }: Campaign): Promise<boolean> {
    let before: number | null = null
    const endSlice = createTimeSlices()
    for (;;) {
      const { data, next } = await campaigns.listVersions(environmentId, id, before, VERSIONS_PAGE)
      if (data.some((version) => hasBranches(version.definition))) return true
      if (next === null) return false
      before = next
      await endSlice()
    }
  }

  return async (campaign) => {
    const kept = known.get(campaign.id)
    if (kept?.version === campaign.currentVersion) return kept.declares
    const declares = await read(campaign)
    known.set(campaign.id, { version: campaign.currentVersion, declares })
    return declares
  }
}

/** Sorts messages before any branch (`null`) first, then by name. */
function byVersionAndBranch(one: FunnelSlice, other: FunnelSlice): number {
  const byName = (one.branch ?? '') < (other.branch ?? '') ? -1 : 1
  return one.version - other.version || (one.branch === other.branch ? 0 : byName)
}

function toBranch({ version, branch, ...counts }: FunnelSlice): NonNullable<FunnelAnswer['branches']>[number] {
  return { version, branch, steps: toSteps(counts) }
}
