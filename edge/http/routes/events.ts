// Serves the state of accepted events and their runs: GET /v1/events…, /v1/runs/:runId.

import { pageQuery } from '../../../contract/resources/page.ts'
import { run, runSummary } from '../../../contract/resources/run.ts'
import { trackedEvent, trackedEventsQuery } from '../../../contract/resources/tracked-event.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

// Matches ids only, because other segments belong to other paths (`/v1/events/track`).
const EVENT = '/v1/events/:eventId{evt_[^/]*}'
const BASE = { method: 'get', tag: 'Events', caller: 'key' } as const

export function addEventRoutes(http: Http, { readEvents }: Pick<Services, 'readEvents'>): void {
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/events',
      role: 'viewer',
      summary: 'List accepted events, including those that matched no campaign',
      isReport: true,
      query: trackedEventsQuery,
      answer: { status: 200, schema: pageOf(trackedEvent).openapi('TrackedEventPage') },
      errors: [],
    },
    (call) => readEvents.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: EVENT,
      role: 'viewer',
      summary: 'Read an event with its campaigns, runs and messages',
      answer: { status: 200, schema: trackedEvent },
      errors: ['event/not-found'],
    },
    (call) => readEvents.get(call.environment.id, call.params.eventId ?? ''),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: `${EVENT}/runs`,
      role: 'viewer',
      summary: 'List the runs of an event',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(runSummary).openapi('RunPage') },
      errors: ['event/not-found'],
    },
    (call) => readEvents.listRuns(call.environment.id, call.params.eventId ?? '', call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/runs/:runId',
      role: 'viewer',
      summary: "Read a run's trace",
      answer: { status: 200, schema: run },
      errors: ['run/not-found'],
    },
    (call) => readEvents.getRun(call.environment.id, call.params.runId ?? ''),
  )
}
