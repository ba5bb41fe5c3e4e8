// Serves statistics over time and over campaigns: GET /v1/campaigns/:id/stats/series, /v1/stats, and what lies below it.

import { flowStats, flowStatsQuery } from '../../../contract/resources/flow-stats.ts'
import {
  campaignDaysPage,
  campaignDaysQuery,
  environmentSeries,
  environmentStats,
  environmentStatsQuery,
  funnelSeries,
  statsQuery,
} from '../../../contract/resources/stats.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const BASE = { method: 'get', tag: 'Statistics', caller: 'key', isReport: true } as const

export function addStatsRoutes(http: Http, { readStats }: Pick<Services, 'readStats'>): void {
  addCampaignRoutes(http, readStats)
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/stats',
      role: 'viewer',
      summary: 'Read the funnel over all campaigns or of one, and why messages were not sent',
      query: environmentStatsQuery,
      answer: { status: 200, schema: environmentStats },
      errors: ['campaign/not-found'],
    },
    (call) => readStats.ofEnvironment(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/stats/series',
      role: 'viewer',
      summary: 'Read the funnel over all campaigns over time, and the time before',
      query: statsQuery,
      answer: { status: 200, schema: environmentSeries },
      errors: [],
    },
    (call) => readStats.environmentSeries(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/stats/campaigns',
      role: 'viewer',
      summary: 'Read the deliveries of each campaign by day, for a list of campaigns',
      query: campaignDaysQuery,
      answer: { status: 200, schema: campaignDaysPage },
      errors: [],
    },
    (call) => readStats.days(call.environment.id, call.query),
  )
}

function addCampaignRoutes(http: Http, readStats: Services['readStats']): void {
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/campaigns/:id/stats/series',
      query: statsQuery,
      role: 'viewer',
      summary: 'Read the funnel of a campaign over time',
      answer: { status: 200, schema: funnelSeries },
      errors: ['campaign/not-found'],
    },
    (call) => readStats.series(call.environment.id, call.params.id ?? '', call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/campaigns/:id/stats/flow',
      query: flowStatsQuery,
      role: 'viewer',
      summary: 'Read the numbers of each step of a campaign: runs, ways, messages, and what waits now',
      answer: { status: 200, schema: flowStats },
      errors: ['campaign/not-found'],
    },
    (call) => readStats.flow(call.environment.id, call.params.id ?? '', call.query),
  )
}
