// Describes statistics: the funnel over time, over all campaigns, and the deliveries of each campaign by day.

import { z } from 'zod'
import { CHANNELS, WINDOWS } from '../delivery.ts'
import { funnelStep, pageOf } from '../schemas.ts'
import { channelParam } from './fields.ts'
import { boundedPageQuery } from './page.ts'

const count = z.number().int()
const counts = { delivery: count, read: count, opened: count, clicked: count }
const asked = { window: z.enum(WINDOWS), channel: z.enum(CHANNELS) }

/** The days of a campaign's line in a list. */
export const LISTED_DAYS = 30

/** In any case of letters. */
export const statsQuery = z.object({ window: z.enum(WINDOWS).default('all'), channel: channelParam.default('inbox') })
export type StatsQuery = z.output<typeof statsQuery>

export const environmentStatsQuery = statsQuery.extend({ campaignId: z.string().max(64).optional() })
export const campaignDaysQuery = boundedPageQuery.extend({ channel: statsQuery.shape.channel })

export const funnelSeries = z
  .object({
    ...asked,
    unit: z.enum(['hour', 'day']),
    points: z
      .array(z.object({ at: z.iso.datetime(), ...counts }))
      .meta({ description: 'Oldest first, without gaps; hours and days of UTC.' }),
  })
  .meta({ id: 'FunnelSeries' })
export type FunnelSeriesAnswer = z.output<typeof funnelSeries>

export const environmentSeries = z
  .object({
    ...funnelSeries.shape,
    previous: z
      .object(counts)
      .nullable()
      .meta({ description: 'The sums of as long a time before the window; null for `all`.' }),
  })
  .meta({ id: 'EnvironmentSeries' })
export type EnvironmentSeriesAnswer = z.output<typeof environmentSeries>

export const onlineAnswer = z
  .object({
    online: count.meta({
      description: 'Users with a connected widget, on all nodes. One who is connected to two nodes counts twice.',
    }),
  })
  .meta({ id: 'OnlineUsers' })
export type OnlineAnswer = z.output<typeof onlineAnswer>

const reasons = z.record(z.string(), count)
export const environmentStats = z
  .object({
    ...asked,
    steps: z.array(funnelStep),
    outcomes: z
      .object({ skipped: reasons, failed: reasons })
      .meta({ description: 'Messages that were not sent, by reason; of those that retention has left.' }),
  })
  .meta({ id: 'EnvironmentStats' })
export type EnvironmentStatsAnswer = z.output<typeof environmentStats>

const campaignDays = z
  .object({ campaignId: z.string(), campaignName: z.string().nullable(), deliveries: z.array(count) })
  .meta({ description: 'A campaign with deliveries in these days; a number for each day.' })

export const campaignDaysPage = z
  .object({
    channel: asked.channel,
    from: z.iso.datetime().meta({ description: `The first of ${LISTED_DAYS} days of UTC; the last one is today.` }),
    ...pageOf(campaignDays).shape,
  })
  .meta({ id: 'CampaignDaysPage' })
export type CampaignDaysPage = z.output<typeof campaignDaysPage>
