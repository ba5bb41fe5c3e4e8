// Serves the check of the domains that an environment's mails have as sender.

import { domainFindingPage } from '../../../contract/resources/email-domain.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { cutPage } from '../../lib/cut-page.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

export function addEmailDomainRoute(http: Http, { checkDomains }: Pick<Services, 'checkDomains'>): void {
  addRoute(
    http,
    {
      tag: 'Email',
      caller: 'key',
      method: 'get',
      path: '/v1/email/domains',
      role: 'viewer',
      summary: "Check SPF, DKIM and DMARC of the senders' domains by DNS, with the records to add",
      query: boundedPageQuery,
      answer: { status: 200, schema: domainFindingPage },
      errors: [],
    },
    async ({ environment, query }) =>
      cutPage({ list: 'email-domains', of: environment.id }, await checkDomains(environment), query),
  )
}
