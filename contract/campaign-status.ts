// Names the states of campaigns.

export const CAMPAIGN_STATUSES = ['draft', 'active', 'paused', 'archived'] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]
