// Serves the deliveries of a source: the last ones, one with its body as it came, and runs with the mappings of today.

import { boundedPageQuery } from '../../../contract/resources/page.ts'
import {
  deliveryRange,
  runDeliveriesAnswer,
  runDeliveryAnswer,
  sourceDeliveries,
  sourceDelivery,
  stoppedRun,
} from '../../../contract/resources/source-delivery.ts'
import { changedBy, requireMayManage } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const PATH = '/v1/sources/:sourceId/deliveries'
const BASE = { tag: 'Connectors', caller: 'key' } as const
const RUN = { ...BASE, method: 'post', role: 'editor', guards: [requireMayManage] } as const
const RUN_ERRORS = ['authorization/not-allowed', 'source/not-found'] as const

export function addDeliveryRoutes(
  http: Http,
  services: Pick<Services, 'manageSources' | 'runDeliveries' | 'readDelivery' | 'beginRun' | 'stopRun'>,
): void {
  addReadRoutes(http, services)
  addRunRoutes(http, services)
}

function addReadRoutes(
  http: Http,
  { manageSources, readDelivery }: Pick<Services, 'manageSources' | 'readDelivery'>,
): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      role: 'viewer',
      summary: 'List the last 200 deliveries of 30 days, newest first',
      query: boundedPageQuery,
      answer: { status: 200, schema: sourceDeliveries },
      errors: ['source/not-found'],
    },
    ({ environment, params, query }) => manageSources.listDeliveries(environment.id, params.sourceId ?? '', query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/:deliveryId`,
      summary: 'Read a delivery with its body as it came',
      // The body may hold what the mappings keep from campaigns.
      role: 'editor',
      answer: { status: 200, schema: sourceDelivery },
      errors: ['source/not-found', 'request/not-found'],
    },
    ({ environment, params: { sourceId = '', deliveryId = '' } }) => readDelivery(environment.id, sourceId, deliveryId),
  )
}

function addRunRoutes(
  http: Http,
  { runDeliveries, beginRun, stopRun }: Pick<Services, 'runDeliveries' | 'beginRun' | 'stopRun'>,
): void {
  addRoute(
    http,
    {
      ...RUN,
      path: `${PATH}/run`,
      summary: 'Begin to run the deliveries of a time again with the mappings of today; the source shows the progress',
      body: deliveryRange,
      answer: {
        status: 202,
        schema: runDeliveriesAnswer,
        description: 'The run is on disk, and goes on over restarts.',
      },
      errors: [...RUN_ERRORS, 'request/conflict'],
    },
    async (call) => {
      const { environment, params, body, correlationId } = call
      return {
        accepted: await beginRun(environment.id, params.sourceId ?? '', body, correlationId, changedBy(call)),
      }
    },
  )
  addRoute(
    http,
    {
      ...RUN,
      path: `${PATH}/stop`,
      summary: 'Stop the run of deliveries after the part in hand',
      answer: { status: 200, schema: stoppedRun },
      errors: [...RUN_ERRORS, 'request/conflict'],
    },
    async (call) => {
      await stopRun(call.environment.id, call.params.sourceId ?? '', changedBy(call))
      return { stopped: true }
    },
  )
  addRoute(
    http,
    {
      ...RUN,
      path: `${PATH}/:deliveryId/run`,
      summary: 'Run a delivery again with the mappings of today, once for the same mappings',
      answer: { status: 200, schema: runDeliveryAnswer },
      errors: [...RUN_ERRORS, 'request/not-found'],
    },
    (call) => {
      const { environment, params, correlationId } = call
      const { sourceId = '', deliveryId = '' } = params
      return runDeliveries.one(environment, sourceId, deliveryId, correlationId, changedBy(call))
    },
  )
}
