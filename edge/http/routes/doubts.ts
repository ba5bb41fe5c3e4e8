// Serves doubts: GET /v1/doubts, and DELETE /v1/doubts/:id.

import { doubt, doubtsQuery } from '../../../contract/resources/doubt.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const TAG = 'Doubts'

export function addDoubtRoutes(http: Http, { manageDoubts }: Pick<Services, 'manageDoubts'>): void {
  addRoute(
    http,
    {
      method: 'get',
      path: '/v1/doubts',
      role: 'viewer',
      summary: 'List what was accepted and cannot have been meant, newest first',
      tag: TAG,
      caller: 'key',
      query: doubtsQuery,
      answer: { status: 200, schema: pageOf(doubt).openapi('DoubtPage') },
      errors: [],
    },
    (call) => manageDoubts.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      method: 'delete',
      path: '/v1/doubts/:id',
      role: 'editor',
      summary: 'Dismiss a doubt; it comes back when it arises again',
      tag: TAG,
      caller: 'key',
      answer: DELETED,
      errors: ['request/not-found'],
    },
    (call) => manageDoubts.dismiss(call.environment.id, call.params.id ?? ''),
  )
}
