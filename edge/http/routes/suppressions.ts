// Serves suppressions: GET, POST and DELETE /v1/suppressions for a user or an address.

import { z } from '@hono/zod-openapi'
import type { ErrorDetail } from '../../../contract/errors.ts'
import {
  newSuppression,
  suppressionPage,
  suppressionQuery,
  suppressionRemoval,
} from '../../../contract/resources/suppression.ts'
import { isAddress } from '../../lib/mail-address.ts'
import { changedBy, requireMayManage } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const BASE = { path: '/v1/suppressions', tag: 'Suppressions', caller: 'key' } as const

export function addSuppressionRoutes(http: Http, { manageSuppressions }: Pick<Services, 'manageSuppressions'>): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      role: 'viewer',
      summary: 'List on which channels a user or an address is suppressed, and why',
      query: suppressionQuery,
      answer: { status: 200, schema: suppressionPage },
      errors: [],
    },
    (call) => manageSuppressions.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      role: 'editor',
      summary: 'Send nothing more to a user or an address on a channel',
      body: newSuppression,
      faults: ({ address }) => findAddressFaults(address),
      guards: [requireMayManage],
      answer: { status: 200, schema: z.object({ added: z.boolean() }) },
      errors: ['authorization/not-allowed'],
    },
    (call) => manageSuppressions.add(call.environment.id, call.body, changedBy(call)),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'delete',
      role: 'editor',
      summary: 'Let a channel reach a suppressed user or address again',
      query: suppressionRemoval,
      guards: [requireMayManage],
      answer: { status: 200, schema: z.object({ deleted: z.boolean() }) },
      errors: ['authorization/not-allowed'],
    },
    (call) => manageSuppressions.remove(call.environment.id, call.query, call.query.channel, changedBy(call)),
  )
}

/** What is no address has nobody to whom nothing would be sent. */
function findAddressFaults(address: unknown): ErrorDetail[] {
  if (typeof address !== 'string' || address === '' || isAddress(address.trim())) return []
  return [{ path: 'address', message: 'This is no e-mail address, alone and without a name.' }]
}
