// Serves /v1/webhooks/:provider/:webhookId: calls of providers of mail with what happened to the mails.

import { z } from '@hono/zod-openapi'
import { ApiError } from '../../lib/api-error.ts'
import { headerOf, type RequestContext } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import { addProbe, readSignedCall } from './signed-call.ts'

const PATH = '/v1/webhooks/:provider/:webhookId'
/** Amazon SNS sends JSON as plain text. */
const TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']

const count = z.number().int()
const receivedSchema = z
  .object({
    received: count,
    matched: count.openapi({ description: 'Events of mails of the environment.' }),
    duplicates: count.openapi({ description: 'Events that were taken before.' }),
    ignored: count.openapi({ description: 'Events that mean nothing here.' }),
  })
  .openapi('ReceivedReports')

export function addWebhookRoutes(
  http: Http,
  { receiveReports, clock }: Pick<Services, 'receiveReports' | 'clock'>,
  { takeWebhook }: Pick<RateLimits, 'takeWebhook'>,
): void {
  addRoute(
    http,
    {
      method: 'post',
      path: PATH,
      summary: 'Take events of a provider of e-mail, verified by its own scheme',
      tag: 'Email',
      caller: 'none',
      rawTypes: TYPES,
      takesAnyQuery: true,
      answer: { status: 200, schema: receivedSchema },
      errors: [
        'webhook/invalid-signature',
        'email-integration/not-found',
        'environment/closed',
        'request/rate-limited',
      ],
    },
    async ({ c, params, headers }) => {
      const target = await receiveReports.find(params.provider ?? '', params.webhookId ?? '')
      await takeWebhook(target.environmentId, headers)
      if (target.webhookPasswordHash !== null) headers['www-authenticate'] = 'Basic realm="webhook"'
      const contentType = requireType(c)
      const call = await readSignedCall(c)
      const answer = await receiveReports.receive(target, { ...call, contentType, now: clock.now() })
      delete headers['www-authenticate']
      return answer
    },
  )
  addProbe(http, PATH)
}

/** @throws ApiError `request/unsupported-media-type`. */
function requireType(c: RequestContext): string {
  const contentType = headerOf(c, 'content-type') ?? ''
  const [type = ''] = contentType.split(';')
  if (TYPES.includes(type.trim().toLowerCase())) return contentType
  throw new ApiError('request/unsupported-media-type', { message: `Send one of ${TYPES.join(', ')}.` })
}
