// Defines the funnel: delivery, read, opened, clicked as counts and percentages.

import type { FunnelStep } from '../../../contract/api.ts'
import { type Channel, FUNNEL_STEPS } from '../../../contract/delivery.ts'
import type { StepCount } from './step-counts.ts'

/** The counts of one cohort, in funnel order. */
export interface FunnelCounts {
  delivery: number
  read: number
  opened: number
  clicked: number
}

/** Counts of one (version, branch) within a window. */
export interface FunnelSlice extends FunnelCounts {
  version: number
  branch: string | null
}

/** The funnel of the messages of one step. */
export interface StepFunnel extends FunnelCounts {
  stepId: string
}

/** Percentage of the previous step with one decimal, rounded half up; null for the first step and after 0. */
export function percentOf(count: number, previous: number): number | null {
  return previous === 0 ? null : Math.floor((count * 2000 + previous) / (previous * 2)) / 10
}

/** Converts counts to the steps of an answer, each with its percentage of the step before. */
export function toSteps(counts: FunnelCounts): FunnelStep[] {
  return FUNNEL_STEPS.map((step, index) => {
    const previous = FUNNEL_STEPS[index - 1]
    return {
      step,
      count: counts[step],
      percentOfPrevious: previous === undefined ? null : percentOf(counts[step], counts[previous]),
    }
  })
}

export function sumCounts(slices: FunnelCounts[]): FunnelCounts {
  const sum: FunnelCounts = { delivery: 0, read: 0, opened: 0, clicked: 0 }
  for (const slice of slices) for (const step of FUNNEL_STEPS) sum[step] += slice[step]
  return sum
}

/** Counts of one hour or day. */
export interface FunnelPoint extends FunnelCounts {
  /** Epoch milliseconds of its beginning (UTC). */
  at: number
}

/** Deliveries of a campaign on one day. */
export interface CampaignDay {
  campaignId: number
  /** Epoch milliseconds of its beginning (UTC). */
  at: number
  delivery: number
}

/** Why messages were not sent: numbers by status and reason. */
export type Outcomes = Record<'skipped' | 'failed', Record<string, number>>

/** A whole hour or day (UTC). */
export type FunnelUnit = 'hour' | 'day'

export interface Funnels {
  /** Reads the slices of a campaign since an instant (its hour included), or of all time. */
  slices(environmentId: number, campaignId: number, channel: Channel, since: number | null): Promise<FunnelSlice[]>
  /** Sums all campaigns of an environment, as `slices` does for one. */
  totals(environmentId: number, channel: Channel, since: number | null): Promise<FunnelCounts>
  /**
   * Reads the points of a campaign, or of all (null), that have counts, oldest first. The sum of the points since an instant is that of
   * `slices`, so the first day has only the hours from the instant on.
   */
  series(
    environmentId: number,
    campaignId: number | null,
    channel: Channel,
    since: number | null,
    unit: FunnelUnit,
  ): Promise<FunnelPoint[]>
  /** Reads the days since one's beginning on which the campaigns of an environment have deliveries, in no order. */
  days(environmentId: number, channel: Channel, since: number): Promise<CampaignDay[]>
  /**
   * Counts messages of an environment, or of one of its campaigns, that were created since an instant and not sent.
   * Retention removes them.
   */
  outcomes(environmentId: number, channel: Channel, since: number | null, campaignId?: number): Promise<Outcomes>
  /** Reads the counts of the steps of a version, and their funnels, since an instant (its hour included). */
  steps(
    environmentId: number,
    campaignId: number,
    version: number,
    since: number,
  ): Promise<{ counts: StepCount[]; funnels: StepFunnel[] }>
  /** Recomputes all counters from the delivery events and the purge ledger. @returns how many counters differed */
  rebuild(): Promise<{ counters: number; differed: number }>
}
