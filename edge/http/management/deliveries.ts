// Serves the delivery history: GET /v1/deliveries, one message, and the CSV export.

import { z } from '@hono/zod-openapi'
import { ENGAGEMENTS, MESSAGE_STATUSES, WINDOWS } from '../../../contract/delivery.ts'
import {
  DELIVERY_COLUMNS,
  deliveryDetail as detailSchema,
  deliveryRecord as recordSchema,
} from '../../../contract/management-schemas.ts'
import { channelParam } from '../../../contract/resources/fields.ts'
import { cursorParam, limitParam } from '../../../contract/resources/page.ts'
import { pageOf, sentMail } from '../../../contract/schemas.ts'
import type { ReadHistory } from '../../flow/history/read-history.ts'
import type { ReadSentMail } from '../../flow/mail/read-sent-mail.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import { instantParam } from '../track-schema.ts'
import { openCsv } from './csv-stream.ts'

const PATH = '/v1/deliveries'
const BASE = { method: 'get', tag: 'Deliveries', caller: 'key' } as const

/** An id. An unknown id is no error and matches nothing. */
const idParam = z.string().max(1024).optional()
const filterParams = {
  campaignId: idParam,
  userId: idParam,
  channel: channelParam.optional(),
  status: z.enum(MESSAGE_STATUSES).optional(),
  engagement: z.enum(ENGAGEMENTS).optional(),
  branch: idParam.openapi({ description: 'As in the record; empty: messages before any branch.' }),
  window: z.enum(WINDOWS).optional(),
  from: instantParam.optional(),
  to: instantParam.optional(),
  messageId: idParam,
  correlationId: idParam,
  eventId: idParam,
}
const filterQuery = z.object(filterParams)
const listQuery = z.object({ ...filterParams, limit: limitParam, cursor: cursorParam })

export interface DeliveriesDeps {
  readHistory: ReadHistory
  readSentMail: ReadSentMail
}

export function addDeliveryRoutes(http: Http, deps: DeliveriesDeps): void {
  const { readHistory, readSentMail } = deps
  addRoute(
    http,
    {
      ...BASE,
      path: PATH,
      summary: 'List deliveries, newest first',
      query: listQuery,
      answer: { status: 200, schema: pageOf(recordSchema).openapi('DeliveryPage') },
      errors: [],
    },
    (call) => readHistory.list(call.environment.id, call.query),
  )
  addExportRoute(http, readHistory)
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/:messageId`,
      summary: 'Read a message with its snapshot, tracked event and timeline',
      answer: { status: 200, schema: detailSchema },
      errors: ['message/not-found'],
    },
    (call) => readHistory.get(call.environment.id, call.params.messageId ?? ''),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/:messageId/mail`,
      summary: 'Render the mail of a message from its stored content; nothing in it is tracked',
      answer: { status: 200, schema: sentMail },
      errors: ['message/not-found', 'campaign/invalid-definition'],
    },
    (call) => readSentMail(call.environment, call.params.messageId ?? ''),
  )
}

/** Must be called before the route of `:messageId` is added, which would match `export.csv` as an id. */
function addExportRoute(http: Http, readHistory: ReadHistory): void {
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/export.csv`,
      summary: 'The same records as CSV, streamed',
      query: filterQuery,
      answer: { status: 200, schema: z.string(), contentType: 'text/csv' },
      errors: [],
    },
    async ({ c, environment, query, correlationId }) => {
      const answer = { headers: CSV_HEADERS }
      // HEAD must not read rows, which are never sent.
      if (c.req.method === 'HEAD') return new Response(null, answer)
      const { outgoing } = c.env
      const body = await openCsv({
        columns: DELIVERY_COLUMNS,
        portions: readHistory.exportAll(environment.id, query),
        onFailure: (error) => http.onDefect(error, correlationId),
        destroyConnection: outgoing && (() => void outgoing.destroy()),
      })
      return new Response(body, answer)
    },
  )
}

const CSV_HEADERS = {
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': 'attachment; filename="deliveries.csv"',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
