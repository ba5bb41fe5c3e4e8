// Serves the check of the domains that an environment's mails have as sender.

import { domainFindingPage } from '../../../contract/resources/email-domain.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import type { CheckDomains } from '../../flow/mail/check-domains.ts'
import { cutPage } from '../../lib/cut-page.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'

export interface EmailDomainsDeps {
  checkDomains: CheckDomains
}

export function addEmailDomainRoute(http: Http, { checkDomains }: EmailDomainsDeps): void {
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
