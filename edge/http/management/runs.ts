// Serves POST /v1/runs/cancel, which cancels waiting runs of a user in a campaign.

import { z } from '@hono/zod-openapi'
import type { CancelRuns } from '../../flow/campaigns/cancel-runs.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import { userIdSchema } from '../track-schema.ts'

const cancelBodySchema = z
  .object({
    campaignKey: z.string().min(1).max(128),
    userId: userIdSchema,
    where: z.string().min(1).max(4096).optional().openapi({
      format: 'cel',
      description:
        'CEL with `event` (which started the run), `user` and `enriched`: only runs for which it is true are cancelled.',
    }),
  })
  .openapi('CancelRuns')

const cancelAnswerSchema = z
  .object({
    cancelled: z.number().int(),
    runIds: z.array(z.string()).openapi({ description: 'The first 100.' }),
    failed: z.number().int().openapi({ description: 'Runs for which `where` ended in an error: they still wait.' }),
    example: z.object({ runId: z.string(), reason: z.string() }).nullable().openapi({ description: 'One of these.' }),
  })
  .openapi('CancelledRuns')

export interface RunsDeps {
  cancelRuns: CancelRuns
}

/** Adds the route for every key, because a caller that may start runs may also cancel them. */
export function addRunRoutes(http: Http, { cancelRuns }: RunsDeps): void {
  addRoute(
    http,
    {
      method: 'post',
      path: '/v1/runs/cancel',
      summary: 'Cancel the waiting runs of a user in a campaign',
      tag: 'Events',
      caller: 'key',
      body: cancelBodySchema,
      answer: { status: 200, schema: cancelAnswerSchema },
      errors: ['campaign/not-found'],
    },
    (call) => cancelRuns.cancel(call.environment.id, call.body),
  )
}
