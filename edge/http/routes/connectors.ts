// Serves /v1/connectors/:provider/:sourceId: deliveries of platforms, which become tracked events.

import { z } from '@hono/zod-openapi'
import { LARGE_BODIES } from '../../../contract/limits.ts'
import type { RequestContext } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import { addProbe, readSignedCall } from './signed-call.ts'

/** Of the deliveries of platforms. */
export const DELIVERY_PATH = '/v1/connectors/:provider/:sourceId'
/** More than is taken: the signature tells whose fault a body is that is too large. */
const READ_BYTES = 4 * LARGE_BODIES.deliveryBytes
const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'text/plain']

const answerSchema = z
  .object({
    status: z.enum(['accepted', 'paused']),
    accepted: z.number().int().optional().openapi({ description: 'New events; repeats are not counted.' }),
  })
  .openapi('DeliveryAnswer')

export function addConnectorRoutes(
  http: Http,
  { receiveDelivery, publicUrl, clock }: Pick<Services, 'receiveDelivery' | 'publicUrl' | 'clock'>,
  { takeWebhook }: Pick<RateLimits, 'takeWebhook'>,
): void {
  addRoute(
    http,
    {
      method: 'post',
      path: DELIVERY_PATH,
      summary: 'Take a delivery of a platform, verified by its own scheme',
      tag: 'Connectors',
      caller: 'none',
      rawTypes: TYPES,
      takesAnyQuery: true,
      answer: { status: 200, schema: answerSchema },
      errors: ['webhook/invalid-signature', 'source/not-found', 'environment/closed', 'request/rate-limited'],
    },
    async ({ c, params, headers, correlationId }) => {
      const target = await receiveDelivery.find(params.provider ?? '', params.sourceId ?? '')
      await takeWebhook(target.environment.id, headers)
      const read = async () => {
        const { headers: sent, body } = await readSignedCall(c, READ_BYTES)
        return { method: c.req.method, url: addressOf(c, publicUrl()), headers: sent, body, now: clock.now() }
      }
      if (receiveDelivery.isPaused(target)) {
        // What cannot be read is not counted, and the answer is the same.
        const call = await read().catch(() => undefined)
        if (call !== undefined) await receiveDelivery.drop(target, call)
        return { status: 'paused' as const }
      }
      return receiveDelivery.receive(target, await read(), correlationId)
    },
  )
  addProbe(http, DELIVERY_PATH)
}

/** @returns The address that the platform called: the public one, with path and query as they arrived. */
function addressOf(c: RequestContext, publicUrl: string): string {
  const arrived = c.env?.incoming?.url ?? new URL(c.req.raw.url, 'http://localhost').href.replace(/^\w+:\/\/[^/]*/, '')
  return publicUrl.replace(/\/$/, '') + arrived
}
