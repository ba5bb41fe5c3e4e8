// Serves the deliveries of a source: the last ones, one with its body as it came, and runs with the mappings of today.

import { boundedPageQuery } from '../../../contract/resources/page.ts'
import {
  deliveryRange,
  runDeliveriesAnswer,
  runDeliveryAnswer,
  sourceDeliveries,
  sourceDelivery,
} from '../../../contract/resources/source-delivery.ts'
import type { BeginRun } from '../../flow/connector/begin-run.ts'
import type { ReadKeptDelivery } from '../../flow/connector/read-delivery.ts'
import type { RunDeliveries } from '../../flow/connector/run-deliveries.ts'
import type { ManageSources } from '../../flow/tenant/manage-sources.ts'
import { changedBy, requireMayManage } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'

const PATH = '/v1/sources/:sourceId/deliveries'
const BASE = { tag: 'Connectors', caller: 'key' } as const
const RUN = { ...BASE, method: 'post', role: 'editor', guards: [requireMayManage] } as const
const RUN_ERRORS = ['authorization/not-allowed', 'source/not-found'] as const

interface Deps {
  manageSources: ManageSources
  runDeliveries: RunDeliveries
  readDelivery: ReadKeptDelivery
  beginRun: BeginRun
}

export function addDeliveryRoutes(http: Http, deps: Deps): void {
  addReadRoutes(http, deps)
  addRunRoutes(http, deps)
}

function addReadRoutes(http: Http, { manageSources, readDelivery }: Deps): void {
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

function addRunRoutes(http: Http, { runDeliveries, beginRun }: Deps): void {
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
      path: `${PATH}/:deliveryId/run`,
      summary: 'Run a delivery again with the mappings of today, once for the same mappings',
      answer: { status: 200, schema: runDeliveryAnswer },
      errors: [...RUN_ERRORS, 'request/not-found'],
    },
    ({ environment, params, correlationId }) =>
      runDeliveries.one(environment, params.sourceId ?? '', params.deliveryId ?? '', correlationId),
  )
}
