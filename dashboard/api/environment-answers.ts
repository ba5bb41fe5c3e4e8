// Types of the calls below one environment whose schemas stand beside their routes.

import type { FunnelStep } from '../../contract/api.ts'
import type { Channel, Window } from '../../contract/delivery.ts'

export type StatsQuery = { window: Window; channel: Channel }

export interface StatsAnswer extends StatsQuery {
  steps: FunnelStep[]
  /** Messages that were not sent, by reason. */
  outcomes: Record<'skipped' | 'failed', Record<string, number>>
}

/** Deliveries of campaigns by day; those without any are absent. */
export interface CampaignDaysAnswer {
  channel: Channel
  /** The first day. */
  from: string
  campaigns: { campaignId: string; deliveries: number[] }[]
}

/** Exactly one of the two. */
export type Suppressed = { userId: string } | { address: string }

export interface SuppressionAnswer {
  channel: Channel
  reason: string
  createdAt: string
}

export interface EnricherSettings {
  url: string
  timeoutMs: number
  cacheSeconds: number
}

export interface EnricherAnswer extends EnricherSettings {
  name: string
  createdAt: string
  updatedAt: string
}

export interface EnricherTrialAnswer {
  ok: boolean
  name: string
  data?: unknown
  error?: { code: string; message: string; reason?: string }
  attempts: number
  durationMs: number
}
