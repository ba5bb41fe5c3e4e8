// Serves GET /v1/email/mailbox: the mails that are kept while no mail server is set.

import { keptMail, keptMailDetail } from '../../../contract/resources/mail.ts'
import { pageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const BASE = { method: 'get', tag: 'Email', caller: 'key' } as const
const PATH = '/v1/email/mailbox'

export function addMailboxRoutes(http: Http, { readMailbox }: Pick<Services, 'readMailbox'>): void {
  addRoute(
    http,
    {
      ...BASE,
      path: PATH,
      role: 'viewer',
      summary: 'List the mails that were kept because no mail server is set, newest first',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(keptMail).openapi('KeptMailPage') },
      errors: [],
    },
    (call) => readMailbox.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/:messageId`,
      role: 'viewer',
      summary: 'Read a kept mail',
      answer: { status: 200, schema: keptMailDetail },
      errors: ['message/not-found'],
    },
    (call) => readMailbox.get(call.environment.id, call.params.messageId ?? ''),
  )
}
