// Serves statistics over time and over campaigns: GET /v1/campaigns/:id/stats/series and GET /v1/stats.

import { z } from '@hono/zod-openapi'
import { CHANNELS, WINDOWS } from '../../../contract/delivery.ts'
import { funnelStep } from '../../../contract/schemas.ts'
import type { ReadStats } from '../../flow/campaigns/read-stats.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import { statsQuerySchema } from './campaign-schema.ts'

export interface StatsDeps {
  readStats: ReadStats
}

const BASE = { method: 'get', tag: 'Statistics', caller: 'key', query: statsQuerySchema } as const
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

export function addStatsRoutes(http: Http, { readStats }: StatsDeps): void {
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/campaigns/:id/stats/series',
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
      summary: 'Read the funnel over all campaigns, and why messages were not sent',
      answer: { status: 200, schema: statsSchema },
      errors: [],
    },
    (call) => readStats.ofEnvironment(call.environment.id, call.query),
  )
}
