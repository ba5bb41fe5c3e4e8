// Serves statistics over time and over campaigns: GET /v1/campaigns/:id/stats/series, /v1/stats and /v1/stats/campaigns.

import { z } from '@hono/zod-openapi'
import { CHANNELS, WINDOWS } from '../../../contract/delivery.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { funnelStep, pageOf } from '../../../contract/schemas.ts'
import { LISTED_DAYS, type ReadStats } from '../../flow/campaigns/read-stats.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import { statsQuerySchema } from './campaign-schema.ts'

export interface StatsDeps {
  readStats: ReadStats
}

const BASE = { method: 'get', tag: 'Statistics', caller: 'key' } as const
const count = z.number().int()
const query = { window: z.enum(WINDOWS), channel: z.enum(CHANNELS) }

const seriesSchema = z
  .object({
    ...query,
    unit: z.enum(['hour', 'day']),
    points: z
      .array(z.object({ at: z.iso.datetime(), delivery: count, read: count, opened: count, clicked: count }))
      .openapi({ description: 'Oldest first, without gaps; hours and days of UTC.' }),
  })
  .openapi('FunnelSeries')

const reasons = z.record(z.string(), count)
const statsSchema = z
  .object({
    ...query,
    steps: z.array(funnelStep),
    outcomes: z
      .object({ skipped: reasons, failed: reasons })
      .openapi({ description: 'Messages that were not sent, by reason; of those that retention has left.' }),
  })
  .openapi('EnvironmentStats')

const daysSchema = z
  .object({
    channel: query.channel,
    from: z.iso.datetime().openapi({ description: `The first of ${LISTED_DAYS} days of UTC; the last one is today.` }),
    ...pageOf(
      z
        .object({ campaignId: z.string(), deliveries: z.array(count) })
        .openapi({ description: 'A campaign with deliveries in these days; a number for each day.' }),
    ).shape,
  })
  .openapi('CampaignDaysPage')

export function addStatsRoutes(http: Http, { readStats }: StatsDeps): void {
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/campaigns/:id/stats/series',
      query: statsQuerySchema,
      summary: 'Read the funnel of a campaign over time',
      answer: { status: 200, schema: seriesSchema },
      errors: ['campaign/not-found'],
    },
    (call) => readStats.series(call.environment.id, call.params.id ?? '', call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/stats',
      summary: 'Read the funnel over all campaigns or of one, and why messages were not sent',
      query: statsQuerySchema.extend({ campaignId: z.string().max(64).optional() }),
      answer: { status: 200, schema: statsSchema },
      errors: ['campaign/not-found'],
    },
    (call) => readStats.ofEnvironment(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/stats/campaigns',
      summary: 'Read the deliveries of each campaign by day, for a list of campaigns',
      query: boundedPageQuery.extend({ channel: statsQuerySchema.shape.channel }),
      answer: { status: 200, schema: daysSchema },
      errors: [],
    },
    (call) => readStats.days(call.environment.id, call.query),
  )
}
