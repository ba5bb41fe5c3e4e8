// Serves the state of accepted events and their runs: GET /v1/events…, /v1/runs/:runId.

import { z } from '@hono/zod-openapi'
import { LIMITS } from '../../../contract/limits.ts'
import {
  trackedEvent as eventSchema,
  run as runSchema,
  runSummary as runSummarySchema,
} from '../../../contract/management-schemas.ts'
import { cursorParam, limitParam, pageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { ReadEvents } from '../../flow/history/read-events.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import { instantParam } from '../track-schema.ts'

// Matches ids only, because other segments belong to other paths (`/v1/events/track`).
const EVENT = '/v1/events/:eventId{evt_[^/]*}'
const BASE = { method: 'get', tag: 'Events', caller: 'key' } as const

const listQuery = z.object({
  name: z.string().max(512).optional(),
  userId: z.string().max(1024).optional(),
  correlationId: z.string().max(LIMITS.correlationIdChars).optional(),
  from: instantParam.optional(),
  to: instantParam.optional(),
  limit: limitParam,
  cursor: cursorParam,
})

export interface EventsDeps {
  readEvents: ReadEvents
}

export function addEventRoutes(http: Http, deps: EventsDeps): void {
  const { readEvents } = deps
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/events',
      summary: 'List accepted events, including those that matched no campaign',
      query: listQuery,
      answer: { status: 200, schema: pageOf(eventSchema).openapi('TrackedEventPage') },
      errors: [],
    },
    (call) => readEvents.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: EVENT,
      summary: 'Read an event with its campaigns, runs and messages',
      answer: { status: 200, schema: eventSchema },
      errors: ['event/not-found'],
    },
    (call) => readEvents.get(call.environment.id, call.params.eventId ?? ''),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: `${EVENT}/runs`,
      summary: 'List the runs of an event',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(runSummarySchema).openapi('RunPage') },
      errors: ['event/not-found'],
    },
    (call) => readEvents.listRuns(call.environment.id, call.params.eventId ?? '', call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/runs/:runId',
      summary: "Read a run's trace",
      answer: { status: 200, schema: runSchema },
      errors: ['run/not-found'],
    },
    (call) => readEvents.getRun(call.environment.id, call.params.runId ?? ''),
  )
}
