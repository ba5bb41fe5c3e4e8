// Serves suppressions: GET, POST and DELETE /v1/suppressions for a user or an address.

import { z } from '@hono/zod-openapi'
import { CHANNELS } from '../../../contract/delivery.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { SUPPRESSION_REASONS } from '../../domain/sending/send-rules.ts'
import type { ManageSuppressions } from '../../flow/users/manage-suppressions.ts'
import { changedBy, requireMayManage } from '../callers.ts'
import type { Http } from '../http.ts'
import { boundedPageQuery } from '../page.ts'
import { exactlyOne } from '../reference.ts'
import { addRoute } from '../route.ts'
import { channelParam } from './campaign-schema.ts'

export interface SuppressionsDeps {
  manageSuppressions: ManageSuppressions
}

const BASE = { path: '/v1/suppressions', tag: 'Suppressions', caller: 'key' } as const

const subjectFields = {
  userId: z.string().min(1).max(256).optional(),
  address: z.string().min(1).max(320).optional(),
}
const ONE_SUBJECT = 'Give exactly one of userId and address.'
const hasOneSubject = ({ userId, address }: { userId?: string | undefined; address?: string | undefined }) =>
  (userId === undefined) !== (address === undefined)

const subjectQuery = boundedPageQuery.extend(subjectFields).refine(hasOneSubject, ONE_SUBJECT)
const removeQuery = z
  .object({ ...subjectFields, channel: channelParam.default('email') })
  .refine(hasOneSubject, ONE_SUBJECT)
const addBody = z
  .object({
    ...subjectFields,
    channel: z.enum(CHANNELS).default('email'),
    reason: z.enum(SUPPRESSION_REASONS).default('manual'),
  })
  .refine(hasOneSubject, ONE_SUBJECT)
  .openapi('NewSuppression', { description: 'For exactly one of the two.', ...exactlyOne('userId', 'address') })

const suppressionSchema = z
  .object({ channel: z.enum(CHANNELS), reason: z.enum(SUPPRESSION_REASONS), createdAt: z.iso.datetime() })
  .openapi('Suppression')

export function addSuppressionRoutes(http: Http, { manageSuppressions }: SuppressionsDeps): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      summary: 'List on which channels a user or an address is suppressed, and why',
      query: subjectQuery,
      answer: { status: 200, schema: pageOf(suppressionSchema).openapi('SuppressionPage') },
      errors: [],
    },
    (call) => manageSuppressions.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      summary: 'Send nothing more to a user or an address on a channel',
      body: addBody,
      guards: [requireMayManage],
      answer: { status: 200, schema: z.object({ added: z.boolean() }) },
      errors: ['authorization/not-allowed'],
    },
    (call) => manageSuppressions.add(call.environment.id, call.body, call.body, changedBy(call)),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'delete',
      summary: 'Let a channel reach a suppressed user or address again',
      query: removeQuery,
      guards: [requireMayManage],
      answer: { status: 200, schema: z.object({ deleted: z.boolean() }) },
      errors: ['authorization/not-allowed'],
    },
    (call) => manageSuppressions.remove(call.environment.id, call.query, call.query.channel, changedBy(call)),
  )
}
