// Serves the check of the domains that an environment's mails have as sender.

import { z } from '@hono/zod-openapi'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { CheckDomains } from '../../flow/mail/check-domains.ts'
import { cutPage } from '../../lib/cut-page.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'

export interface EmailDomainsDeps {
  checkDomains: CheckDomains
}

const findingSchema = z
  .object({
    domain: z.string(),
    integration: z.string().nullable().openapi({ description: 'Null: the server itself, or all of them.' }),
    kind: z.enum(['spf', 'dkim', 'dmarc']),
    verdict: z.enum(['ok', 'missing', 'wrong', 'unknown']).openapi({
      description: '`unknown`: the name servers do not answer, or only the provider knows.',
    }),
    words: z.string(),
    found: z.array(z.string()).openapi({ description: 'The records of the kind that exist.' }),
    record: z
      .object({ name: z.string(), type: z.literal('TXT'), value: z.string() })
      .nullable()
      .openapi({ description: 'To copy to the name servers of the domain.' }),
  })
  .openapi('EmailDomainFinding')

export function addEmailDomainRoute(http: Http, { checkDomains }: EmailDomainsDeps): void {
  addRoute(
    http,
    {
      tag: 'Email',
      caller: 'key',
      method: 'get',
      path: '/v1/email/domains',
      summary: "Check SPF, DKIM and DMARC of the senders' domains by DNS, with the records to add",
      query: boundedPageQuery,
      answer: { status: 200, schema: pageOf(findingSchema).openapi('EmailDomainFindingPage') },
      errors: [],
    },
    async ({ environment, query }) =>
      cutPage({ list: 'email-domains', of: environment.id }, await checkDomains(environment), query),
  )
}
