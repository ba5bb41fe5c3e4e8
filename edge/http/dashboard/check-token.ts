// Serves the check of a user token, for people who set up the sign-in of the widget.

import { checkedToken, tokenCheck } from '../../../contract/resources/token-check.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

export function addDashboardCheckTokenRoute(http: Http, { checkToken }: Pick<Services, 'checkToken'>): void {
  addRoute(
    http,
    {
      method: 'post',
      path: `${DASHBOARD_PATH}/check-token`,
      summary: 'Check a user token as a sign-in would, and explain a refusal; creates nothing',
      tag: 'Dashboard environments',
      caller: 'environment',
      role: 'viewer',
      body: tokenCheck,
      maxBytes: 64 * 1024,
      answer: { status: 200, schema: checkedToken },
      errors: [],
    },
    (call) => checkToken(call.environment, call.body),
  )
}
