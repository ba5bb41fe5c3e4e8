// Serves the audit log of an organisation.

import { z } from '@hono/zod-openapi'
import { instantParam } from '../../../contract/resources/fields.ts'
import { cursorParam, limitParam } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { AUDIT_ACTORS } from '../../domain/audit.ts'
import type { ReadAuditLog } from '../../flow/tenant/read-audit-log.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'

export interface DashboardAuditDeps {
  readAuditLog: ReadAuditLog
}

const entrySchema = z
  .object({
    at: z.iso.datetime(),
    actor: z.enum(AUDIT_ACTORS),
    who: z.string(),
    action: z.string().openapi({ example: 'secret.rotate' }),
    subject: z.string(),
    environment: z.string().nullable(),
    correlationId: z.string().nullable(),
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .openapi({ description: 'Facts; `difference` has a line for each value before and after.' }),
  })
  .openapi('AuditEntry')

const query = z.object({
  environment: z.string().max(64).optional(),
  actor: z
    .string()
    .max(320)
    .optional()
    .openapi({ description: 'An interface, an e-mail address, or the id of a key.' }),
  action: z.string().max(100).optional().openapi({ description: 'Such as `secret.rotate`, or the noun `secret`.' }),
  from: instantParam.optional(),
  to: instantParam.optional(),
  limit: limitParam,
  cursor: cursorParam,
})

export function addDashboardAuditRoute(http: Http, { readAuditLog }: DashboardAuditDeps): void {
  addRoute(
    http,
    {
      method: 'get',
      path: '/v1/dashboard/organisations/:org/audit-log',
      summary: 'List the changes in an organisation and its environments, newest first',
      tag: 'Dashboard audit log',
      caller: 'member',
      role: 'admin',
      query,
      answer: { status: 200, schema: pageOf(entrySchema).openapi('AuditPage') },
      errors: [],
    },
    (call) => readAuditLog(call.membership.organisationId, call.query),
  )
}
