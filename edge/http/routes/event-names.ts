// Serves what was learned of events: GET /v1/event-names, and GET /v1/event-names/:name/properties.

import { eventName, eventNamesQuery, eventProperties } from '../../../contract/resources/event-name.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const BASE = { method: 'get', role: 'viewer', tag: 'Events', caller: 'key' } as const

export function addEventNameRoutes(http: Http, { readEventNames }: Pick<Services, 'readEventNames'>): void {
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/event-names',
      summary: 'List the names of the events that came, newest first; with `q` those that contain it',
      query: eventNamesQuery,
      answer: { status: 200, schema: pageOf(eventName).openapi('EventNamePage') },
      errors: [],
    },
    (call) => readEventNames.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/event-names/:name/properties',
      summary: 'Read the properties of the events of a name, as the service learned them from samples',
      answer: { status: 200, schema: eventProperties },
      errors: ['request/not-found'],
    },
    (call) => readEventNames.getProperties(call.environment.id, call.params.name ?? ''),
  )
}
