// Serves the check of a user token, for people who set up the sign-in of the widget.

import { z } from '@hono/zod-openapi'
import { AUTH_TYPES } from '../../../contract/tenant.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const checkedSchema = z
  .object({
    ok: z.boolean(),
    code: z.string().optional().openapi({ description: 'The code that a sign-in would answer.' }),
    reason: z.string().optional(),
    user: z
      .object({
        userId: z.string(),
        email: z.string().optional(),
        name: z.string().optional(),
        locale: z.string().optional(),
      })
      .optional(),
    leftOut: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({
        description: 'Configured claims that are absent or cannot be taken; the sign-in passes without them.',
      }),
    expiresAt: z.iso
      .datetime()
      .optional()
      .openapi({ description: 'When the token itself expires; absent for one that does not.' }),
  })
  .openapi('CheckedToken')

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
      body: z
        .object({
          authType: z.enum(AUTH_TYPES).default('backendToken'),
          userId: z.string().optional(),
          token: z.string().min(1),
        })
        .openapi('TokenCheck'),
      maxBytes: 64 * 1024,
      answer: { status: 200, schema: checkedSchema },
      errors: [],
    },
    (call) => checkToken(call.environment, call.body),
  )
}
