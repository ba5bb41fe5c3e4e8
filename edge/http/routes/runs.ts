// Serves POST /v1/runs/cancel, which cancels waiting runs of a user in a campaign.

import { cancelRuns as cancelBody, cancelledRuns } from '../../../contract/resources/run.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

/** Adds the route for every key, because a caller that may start runs may also cancel them. */
export function addRunRoutes(http: Http, { cancelRuns }: Pick<Services, 'cancelRuns'>): void {
  addRoute(
    http,
    {
      method: 'post',
      path: '/v1/runs/cancel',
      role: 'editor',
      summary: 'Cancel the waiting runs of a user in a campaign',
      tag: 'Events',
      caller: 'key',
      body: cancelBody,
      answer: { status: 200, schema: cancelledRuns },
      errors: ['campaign/not-found'],
    },
    (call) => cancelRuns.cancel(call.environment.id, call.body),
  )
}
