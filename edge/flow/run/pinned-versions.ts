// The versions that waiting runs began on, compiled once and kept while they are asked for (contract section 6, "a run finishes on
// the version that it began on").

import type { CampaignHead, Campaigns } from '../../domain/campaign.ts'
import { type CompiledCampaign, compileCampaign } from '../../domain/steps/compiled-campaign.ts'

const MAX_VERSIONS = 500

export interface PinnedVersions {
  /** Undefined when there is no such version. Throws when a stored definition cannot be compiled. */
  find(campaign: CampaignHead, version: number): Promise<CompiledCampaign | undefined>
}

export function createPinnedVersions(campaigns: Pick<Campaigns, 'findVersion'>): PinnedVersions {
  const kept = new Map<string, CompiledCampaign>()
  return {
    async find(campaign, version) {
      const key = `${campaign.id}:${version}`
      const known = kept.get(key) ?? (await load(campaign, version))
      if (known === undefined) return undefined
      kept.delete(key)
      const [oldest] = kept.keys()
      if (oldest !== undefined && kept.size >= MAX_VERSIONS) kept.delete(oldest)
      kept.set(key, known)
      // A version never changes; what stands beside it may.
      return { ...known, campaign }
    },
  }

  async function load(campaign: CampaignHead, version: number): Promise<CompiledCampaign | undefined> {
    const published = await campaigns.findVersion(campaign.id, version)
    return published && compileCampaign({ campaign, version, definition: published.definition })
  }
}
