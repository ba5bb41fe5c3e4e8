// Caches the compiled versions of waiting runs.

import { compileCampaign } from '../../campaign/compile.ts'
import type { CompiledCampaign } from '../../campaign/compiled.ts'
import type { CampaignHead, Campaigns } from '../../domain/campaign.ts'
import { createCache } from '../../lib/cache.ts'

/** Characters of their definitions, and how many of them a short one counts for. */
const MAX_CHARS = 32 * 1024 * 1024
const LEAST_CHARS = 65_536
/** Of the versions that one turn of waits or mails has in memory, beside those that are kept. */
const TOGETHER_CHARS = 8 * 1024 * 1024

export interface PinnedVersions {
  /** @returns undefined for an unknown version @throws when a stored definition cannot be compiled */
  find(campaign: CampaignHead, version: number): Promise<CompiledCampaign | undefined>
}

/** Counts the versions that one turn has read. */
export interface ReadVersions {
  add(campaignId: number, version: number, chars: number): void
  /** Whether the turn reads no more: what is left comes after it. */
  areMany(): boolean
}

export function countVersions(): ReadVersions {
  const read = new Map<string, number>()
  let together = 0
  return {
    add(campaignId, version, chars) {
      const key = `${campaignId}:${version}`
      if (!read.has(key)) together += chars
      read.set(key, chars)
    },
    areMany: () => together > TOGETHER_CHARS,
  }
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
