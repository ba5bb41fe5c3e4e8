// Serves the audit log of an organisation.

import { auditPage, auditQuery } from '../../../contract/resources/audit.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

export function addDashboardAuditRoute(http: Http, { readAuditLog }: Pick<Services, 'readAuditLog'>): void {
  addRoute(
    http,
    {
      method: 'get',
      path: '/v1/dashboard/organisations/:org/audit-log',
      summary: 'List the changes in an organisation and its environments, newest first',
      tag: 'Dashboard audit log',
      caller: 'member',
      role: 'admin',
      query: auditQuery,
      answer: { status: 200, schema: auditPage },
      errors: [],
    },
    (call) => readAuditLog(call.membership.organisationId, call.query),
  )
}
