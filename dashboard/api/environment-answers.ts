// Types of the calls below one environment whose schemas stand beside their routes.

import type { FunnelStep, Page } from '../../contract/api.ts'
import type { Channel, Window } from '../../contract/delivery.ts'

export type StatsQuery = { window: Window; channel: Channel }

export interface StatsAnswer extends StatsQuery {
  steps: FunnelStep[]
  /** Messages that were not sent, by reason. */
  outcomes: Record<'skipped' | 'failed', Record<string, number>>
}

/** Deliveries of campaigns by day; those without any are absent. */
export interface CampaignDaysPage extends Page<{ campaignId: string; deliveries: number[] }> {
  channel: Channel
  /** The first day. */
  from: string
}

/** What a step of a draft is rendered with. */
export interface PreviewRequest {
  stepId: string
  event?: { properties: object; userId?: string }
  user?: { id?: string; email?: string | null; name?: string | null; locale?: string | null; attributes?: object }
}
