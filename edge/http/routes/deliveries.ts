// Serves the delivery history: GET /v1/deliveries, one message, and the CSV export.

import { z } from '@hono/zod-openapi'
import {
  DELIVERY_COLUMNS,
  deliveriesFilter,
  deliveriesQuery,
  deliveryDetail,
  deliveryRecord,
} from '../../../contract/resources/delivery.ts'
import { sentMail } from '../../../contract/resources/mail.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'
import { openCsv } from './csv-stream.ts'

const PATH = '/v1/deliveries'
const BASE = { method: 'get', tag: 'Deliveries', caller: 'key' } as const

export function addDeliveryRoutes(
  http: Http,
  { readHistory, readSentMail }: Pick<Services, 'readHistory' | 'readSentMail'>,
): void {
  addRoute(
    http,
    {
      ...BASE,
      path: PATH,
      role: 'viewer',
      summary: 'List deliveries, newest first',
      isReport: true,
      query: deliveriesQuery,
      answer: { status: 200, schema: pageOf(deliveryRecord).openapi('DeliveryPage') },
      errors: [],
    },
    (call) => readHistory.list(call.environment.id, call.query),
  )
  addExportRoute(http, { readHistory })
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/:messageId`,
      role: 'viewer',
      summary: 'Read a message with its snapshot, tracked event and timeline',
      answer: { status: 200, schema: deliveryDetail },
      errors: ['message/not-found'],
    },
    (call) => readHistory.get(call.environment.id, call.params.messageId ?? ''),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/:messageId/mail`,
      role: 'viewer',
      summary: 'Render the mail of a message from its stored content; nothing in it is tracked',
      answer: { status: 200, schema: sentMail },
      errors: ['message/not-found', 'campaign/invalid-definition'],
    },
    (call) => readSentMail(call.environment, call.params.messageId ?? ''),
  )
}

/** Must be called before the route of `:messageId` is added, which would match `export.csv` as an id. */
function addExportRoute(http: Http, { readHistory }: Pick<Services, 'readHistory'>): void {
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/export.csv`,
      role: 'viewer',
      summary: 'The same records as CSV, streamed',
      isReport: true,
      query: deliveriesFilter,
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
