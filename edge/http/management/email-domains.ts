// Serves the check of the domains that an environment's mails have as sender.

import { z } from '@hono/zod-openapi'
import type { CheckDomains } from '../../flow/mail/check-domains.ts'
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
      answer: {
        status: 200,
        schema: z.object({ data: z.array(findingSchema), nextCursor: z.null() }).openapi('EmailDomainFindingList'),
      },
      errors: [],
    },
    async (call) => ({ data: await checkDomains(call.environment), nextCursor: null }),
  )
}
