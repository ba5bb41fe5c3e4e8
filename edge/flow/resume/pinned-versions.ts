// Caches the compiled versions of waiting runs.

import { compileCampaign } from '../../campaign/compile.ts'
import type { CompiledCampaign } from '../../campaign/compiled.ts'
import type { CampaignHead, Campaigns } from '../../domain/campaign.ts'
import { createCache } from '../../lib/cache.ts'

/** Characters of their definitions, and how many of them a short one counts for. */
const MAX_CHARS = 32 * 1024 * 1024
const LEAST_CHARS = 65_536

export interface PinnedVersions {
  /** @returns undefined for an unknown version @throws when a stored definition cannot be compiled */
  find(campaign: CampaignHead, version: number): Promise<CompiledCampaign | undefined>
}

export function createPinnedVersions(campaigns: Pick<Campaigns, 'findVersion'>): PinnedVersions {
  const kept = createCache<string, CompiledCampaign>({
    maxSize: MAX_CHARS,
    sizeOf: ({ chars }) => Math.max(LEAST_CHARS, chars),
  })
  return {
    async find(campaign, version) {
      const key = `${campaign.id}:${version}`
      const known = kept.get(key) ?? (await load(campaign, version))
      if (known === undefined) return undefined
      kept.set(key, known)
      // A version never changes, but its campaign's state does.
      return { ...known, campaign }
    },
  }

  async function load(campaign: CampaignHead, version: number): Promise<CompiledCampaign | undefined> {
    const published = await campaigns.findVersion(campaign.environmentId, campaign.id, version)
    return published && compileCampaign({ ...published, campaign })
  }
}
