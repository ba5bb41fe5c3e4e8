// Serves the number of users who are online: GET /v1/stats/online.

import { onlineAnswer } from '../../../contract/resources/stats.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

export function addOnlineRoute(http: Http, { countOnline }: Pick<Services, 'countOnline'>): void {
  addRoute(
    http,
    {
      ...{ method: 'get', path: '/v1/stats/online', tag: 'Statistics', caller: 'key', role: 'viewer' },
      summary: 'Count the users who are online',
      answer: { status: 200, schema: onlineAnswer },
      errors: [],
    },
    async (call) => ({ online: countOnline(call.environment.id) }),
  )
}
