// Reads statistics over time and over campaigns: the series of one campaign or of all, the funnel of an environment or of one of
// its campaigns with the reasons of unsent messages, and deliveries by day for a list of campaigns.

import type { Window } from '../../../contract/delivery.ts'
import {
  type CampaignDaysPage,
  type EnvironmentSeriesAnswer,
  type EnvironmentStatsAnswer,
  type FunnelSeriesAnswer,
  LISTED_DAYS,
  type StatsQuery,
} from '../../../contract/resources/stats.ts'
import type { Core } from '../../domain/core.ts'
import {
  type FunnelCounts,
  type FunnelPoint,
  type FunnelUnit,
  sumCounts,
  toSteps,
} from '../../domain/delivery/funnel.ts'
import { sinceOf } from '../../domain/delivery/window.ts'
import type { Named } from '../../domain/names.ts'
import { toIso } from '../../lib/clock.ts'
import { cutPage, type PageQuery } from '../../lib/cut-page.ts'
import { formatId } from '../../lib/id.ts'
import { getCampaign, getNamedCampaign } from './read-campaigns.ts'
import { createReadFlow } from './read-flow.ts'

const UNIT: Record<Window, FunnelUnit> = { '24h': 'hour', '7d': 'hour', '30d': 'day', all: 'day' }
const HOUR_MS = 60 * 60 * 1000
const UNIT_MS: Record<FunnelUnit, number> = { hour: HOUR_MS, day: 24 * HOUR_MS }

export type ReadStats = ReturnType<typeof createReadStats>

export function createReadStats(deps: Pick<Core, 'campaigns' | 'names' | 'funnels' | 'clock'>) {
  const { funnels, clock } = deps

  async function readSeries(
    environmentId: number,
    campaignId: number | null,
    { window, channel }: StatsQuery,
  ): Promise<FunnelSeriesAnswer> {
    const now = clock.now()
    const since = sinceOf(window, now)
    const unit = UNIT[window]
    const counted = await funnels.series(environmentId, campaignId, channel, since, unit)
    const points = withoutGaps(counted, since ?? counted[0]?.at ?? null, now, UNIT_MS[unit])
    return { window, channel, unit, points: points.map((point) => ({ ...point, at: toIso(point.at) })) }
  }

  /** Counts what lies before the window, for as long a time. */
  async function readPrevious(environmentId: number, { window, channel }: StatsQuery): Promise<FunnelCounts | null> {
    const now = clock.now()
    const since = sinceOf(window, now)
    if (since === null) return null
    const [both, last] = await Promise.all([
      funnels.totals(environmentId, channel, since - (now - since)),
      funnels.totals(environmentId, channel, since),
    ])
    return {
      delivery: both.delivery - last.delivery,
      read: both.read - last.read,
      opened: both.opened - last.opened,
      clicked: both.clicked - last.clicked,
    }
  }

  return {
    flow: createReadFlow(deps),

    /** The sum of the points is the funnel of the same window. Throws `campaign/not-found`. */
    async series(
      environmentId: number,
      campaignId: string,
      { window, channel }: StatsQuery,
    ): Promise<FunnelSeriesAnswer> {
      const campaign = await getCampaign(deps.campaigns, environmentId, campaignId)
      return readSeries(environmentId, campaign.id, { window, channel })
    },

    /** Of all campaigns, with the sums of the time before. */
    async environmentSeries(environmentId: number, { window, channel }: StatsQuery): Promise<EnvironmentSeriesAnswer> {
      const [series, previous] = await Promise.all([
        readSeries(environmentId, null, { window, channel }),
        readPrevious(environmentId, { window, channel }),
      ])
      return { ...series, previous }
    },

    /** With `campaignId`, an id or a key, of that campaign alone. Throws `campaign/not-found`. */
    async ofEnvironment(
      environmentId: number,
      { window, channel, campaignId }: StatsQuery & { campaignId?: string | undefined },
    ): Promise<EnvironmentStatsAnswer> {
      const since = sinceOf(window, clock.now())
      const campaign =
        campaignId === undefined ? undefined : await getNamedCampaign(deps.campaigns, environmentId, campaignId)
      const [counts, outcomes] = await Promise.all([
        campaign === undefined
          ? funnels.totals(environmentId, channel, since)
          : funnels.slices(environmentId, campaign.id, channel, since).then(sumCounts),
        funnels.outcomes(environmentId, channel, since, campaign?.id),
      ])
      return { window, channel, steps: toSteps(counts), outcomes }
    },

    async days(
      environmentId: number,
      { channel, ...query }: Pick<StatsQuery, 'channel'> & PageQuery,
    ): Promise<CampaignDaysPage> {
      const today = Math.floor(clock.now() / UNIT_MS.day)
      const first = today - LISTED_DAYS + 1
      const byCampaign = new Map<number, number[]>()
      for (const { campaignId, at, delivery } of await funnels.days(environmentId, channel, first * UNIT_MS.day)) {
        const place = at / UNIT_MS.day - first
        const deliveries = byCampaign.get(campaignId) ?? Array.from({ length: LISTED_DAYS }, () => 0)
        // A clock that was set back leaves days in the future.
        if (place < LISTED_DAYS) deliveries[place] = delivery
        byCampaign.set(campaignId, deliveries)
      }
      const name = { list: 'campaign-days', of: environmentId }
      const all = [...byCampaign].sort(([one], [other]) => other - one)
      const page = cutPage(name, all, query, ([id]) => id)
      const named = (id: number): Named => ({ kind: 'campaign', scope: environmentId, id })
      const nameOf = await deps.names.find(page.data.map(([id]) => named(id)))
      const data = page.data.map(([id, deliveries]) => ({
        campaignId: formatId('campaign', id),
        campaignName: nameOf(named(id)),
        deliveries,
      }))
      return { channel, from: toIso(first * UNIT_MS.day), data, nextCursor: page.nextCursor }
    },
  }
}

/** Adds a point of zeroes for each unit without counts. `from` null: there are none at all. */
function withoutGaps(counted: FunnelPoint[], from: number | null, now: number, unitMs: number): FunnelPoint[] {
  if (from === null) return []
  const known = new Map(counted.map((point) => [point.at, point]))
  // A clock that was set back leaves points in the future.
  const last = Math.max(now, counted.at(-1)?.at ?? 0)
  const points: FunnelPoint[] = []
  for (let at = Math.floor(from / unitMs) * unitMs; at <= last; at += unitMs) {
    points.push(known.get(at) ?? { at, delivery: 0, read: 0, opened: 0, clicked: 0 })
  }
  return points
}
