// Serves doubts: GET /v1/doubts, and DELETE /v1/doubts/:id.

import { z } from '@hono/zod-openapi'
import { DOUBT_KINDS, DOUBT_SUBJECTS } from '../../../contract/doubt.ts'
import { doubtAnswer } from '../../../contract/management-schemas.ts'
import { cursorParam, limitParam } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { ManageDoubts } from '../../flow/doubts/manage-doubts.ts'
import { DELETED } from '../deleted.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'

export interface DoubtsDeps {
  manageDoubts: ManageDoubts
}

const TAG = 'Doubts'

export function addDoubtRoutes(http: Http, { manageDoubts }: DoubtsDeps): void {
  addRoute(
    http,
    {
      method: 'get',
      path: '/v1/doubts',
      summary: 'List what was accepted and cannot have been meant, newest first',
      tag: TAG,
      caller: 'key',
      query: z.object({
        kind: z.enum(DOUBT_KINDS).optional(),
        subjectType: z.enum(DOUBT_SUBJECTS).optional(),
        subjectId: z.string().min(1).max(300).optional(),
        limit: limitParam,
        cursor: cursorParam,
      }),
      answer: { status: 200, schema: pageOf(doubtAnswer).openapi('DoubtPage') },
      errors: [],
    },
    (call) => manageDoubts.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      method: 'delete',
      path: '/v1/doubts/:id',
      summary: 'Dismiss a doubt; it comes back when it arises again',
      tag: TAG,
      caller: 'key',
      answer: DELETED,
      errors: ['request/not-found'],
    },
    (call) => manageDoubts.dismiss(call.environment.id, call.params.id ?? ''),
  )
}
