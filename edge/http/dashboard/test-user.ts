// Serves the test user of a person, by whom the page of the first steps shows a real inbox.

import { testUser } from '../../../contract/resources/test-user.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

export function addDashboardTestUserRoute(http: Http, { beginTrial }: Pick<Services, 'beginTrial'>): void {
  addRoute(
    http,
    {
      method: 'post',
      path: `${DASHBOARD_PATH}/test-user`,
      summary: 'Sign the test user of the person in, whom nobody else is; not in production',
      tag: 'Dashboard environments',
      caller: 'environment',
      role: 'admin',
      maxBytes: 8 * 1024,
      answer: { status: 200, schema: testUser },
      errors: ['request/conflict', 'authorization/not-allowed'],
    },
    (call) => {
      if ('operator' in call) throw new ApiError('authorization/not-allowed', { message: 'Only people have one.' })
      return beginTrial(call.environment, call.person)
    },
  )
}
