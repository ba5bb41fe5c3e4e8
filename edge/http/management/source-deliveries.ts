// Serves the deliveries of a source: the last ones, one with its body as it came, and runs with the mappings of today.

import type { RunDeliveries } from '../../flow/connector/run-deliveries.ts'
import type { ManageSources } from '../../flow/tenant/manage-sources.ts'
import { ApiError } from '../../lib/api-error.ts'
import { requireMayManage } from '../callers.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import { deliveriesSchema, deliverySchema, runAnswerSchema, runBody } from './source-schema.ts'

const PATH = '/v1/sources/:sourceId/deliveries'
const BASE = { tag: 'Connectors', caller: 'key' } as const
const RUN = { ...BASE, method: 'post', role: 'editor', guards: [requireMayManage] } as const
const RUN_ERRORS = ['authorization/not-allowed', 'source/not-found'] as const

export function addDeliveryRoutes(
  http: Http,
  { manageSources, runDeliveries }: { manageSources: ManageSources; runDeliveries: RunDeliveries },
): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      summary: 'List the last 200 deliveries of 30 days, newest first',
      answer: { status: 200, schema: deliveriesSchema },
      errors: ['source/not-found'],
    },
    async ({ environment, params }) => ({
      data: await manageSources.listDeliveries(environment.id, params.sourceId ?? ''),
      nextCursor: null,
    }),
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
      answer: { status: 200, schema: deliverySchema },
      errors: ['source/not-found', 'request/not-found'],
    },
    async ({ environment, params: { sourceId = '', deliveryId = '' } }) => {
      const listed = await manageSources.listDeliveries(environment.id, sourceId)
      const kept = await runDeliveries.bodyOf(environment.id, sourceId, deliveryId)
      const delivery = listed.find((one) => one.deliveryId === deliveryId) ?? olderOf(kept)
      if (delivery === undefined) throw new ApiError('request/not-found', { message: 'There is no such delivery.' })
      return { ...delivery, body: kept?.body ?? null }
    },
  )
  addRoute(
    http,
    {
      ...RUN,
      path: `${PATH}/run`,
      summary: 'Run the deliveries of a time again with the mappings of today, each once for the same mappings',
      body: runBody,
      answer: { status: 200, schema: runAnswerSchema },
      errors: RUN_ERRORS,
    },
    async ({ environment, params, body, correlationId }) => ({
      accepted: await runDeliveries.many(environment, params.sourceId ?? '', body, correlationId),
    }),
  )
  addRoute(
    http,
    {
      ...RUN,
      path: `${PATH}/:deliveryId/run`,
      summary: 'Run a delivery again with the mappings of today, once for the same mappings',
      answer: { status: 200, schema: runAnswerSchema },
      errors: [...RUN_ERRORS, 'request/not-found'],
    },
    async ({ environment, params, correlationId }) => ({
      accepted: await runDeliveries.one(environment, params.sourceId ?? '', params.deliveryId ?? '', correlationId),
    }),
  )
}

/** A delivery that is no more among the last ones has its body alone. */
function olderOf(kept: Awaited<ReturnType<RunDeliveries['bodyOf']>>) {
  const [item] = kept?.items ?? []
  if (kept === undefined || item === undefined) return undefined
  const { deliveryId, outcome } = item
  return { at: new Date(kept.at).toISOString(), deliveryId, type: null, outcome, eventId: null, reason: null }
}
