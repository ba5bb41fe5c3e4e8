// The funnel of a campaign: live counters by window and channel, sliced by branch when it declares any (contract section 6).

import type { FunnelAnswer } from '../../contract/api.ts'
import type { Channel, Window } from '../../contract/delivery.ts'
import type { Campaign, Campaigns, Step } from '../domain/campaign.ts'
import { type FunnelSlice, type Funnels, sumCounts, toSteps } from '../domain/delivery/funnel.ts'
import type { Clock } from '../lib/clock.ts'
import { getCampaign } from './campaigns/read-campaigns.ts'

export interface ReadFunnelDeps {
  campaigns: Pick<Campaigns, 'find' | 'listVersions'>
  funnels: Pick<Funnels, 'slices'>
  clock: Clock
}

/** Throws `campaign/not-found`. */
export type ReadFunnel = (
  environmentId: number,
  campaignId: string,
  query: { window: Window; channel: Channel },
) => Promise<FunnelAnswer>

const HOUR_MS = 60 * 60 * 1000
const WINDOW_MS: Record<Exclude<Window, 'all'>, number> = {
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
}
const VERSIONS_PAGE = 100
const KEPT_ANSWERS = 1000

export function createReadFunnel(deps: ReadFunnelDeps): ReadFunnel {
  const declaresBranches = createDeclaresBranches(deps.campaigns)

  return async function readFunnel(environmentId, campaignId, { window, channel }) {
    const campaign = await getCampaign(deps.campaigns, environmentId, campaignId)
    const since = window === 'all' ? null : deps.clock.now() - WINDOW_MS[window]
    const slices = await deps.funnels.slices(campaign.id, channel, since)
    const answer: FunnelAnswer = { window, channel, steps: toSteps(sumCounts(slices)) }
    if (await declaresBranches(campaign)) answer.branches = [...slices].sort(byVersionAndBranch).map(toBranch)
    return answer
  }
}

/** Whether any published version has a branch step. Versions never change, so the answer stands until the next one. */
function createDeclaresBranches(campaigns: Pick<Campaigns, 'listVersions'>): (campaign: Campaign) => Promise<boolean> {
  const known = new Map<number, { version: number | null; declares: boolean }>()

  async function read(campaignId: number): Promise<boolean> {
    let before: number | null = null
    for (;;) {
      const page = await campaigns.listVersions(campaignId, before, VERSIONS_PAGE)
      if (page.some((version) => hasBranch(version.definition.steps))) return true
      const last = page.at(-1)
      if (page.length < VERSIONS_PAGE || last === undefined) return false
      before = last.version
    }
  }

  return async (campaign) => {
    const kept = known.get(campaign.id)
    if (kept?.version === campaign.currentVersion) return kept.declares
    const declares = await read(campaign.id)
    if (known.size >= KEPT_ANSWERS) known.clear()
    known.set(campaign.id, { version: campaign.currentVersion, declares })
    return declares
  }
}

function hasBranch(steps: Step[]): boolean {
  return steps.some((step) => step.type === 'branch')
}

/** Messages before any branch (`null`) first, then by name. */
function byVersionAndBranch(one: FunnelSlice, other: FunnelSlice): number {
  const byName = (one.branch ?? '') < (other.branch ?? '') ? -1 : 1
  return one.version - other.version || (one.branch === other.branch ? 0 : byName)
}

function toBranch({ version, branch, ...counts }: FunnelSlice): NonNullable<FunnelAnswer['branches']>[number] {
  return { version, branch, steps: toSteps(counts) }
}
