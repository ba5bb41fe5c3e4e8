// Verifies and reads the reporting webhooks of Customer.io: what became of its messages.

import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type { Connector, ConnectorCall, DeliveredItem, SignatureVerdict } from '../domain/connector/connector.ts'
import { isRecord } from '../lib/is-record.ts'
import { type Fields, fieldsOf, textOf, timeOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, hmacOf, judge, MISSING, notAfter, readSigned } from './delivery.ts'
import { KINDS, readCall } from './segment.ts'

const USER_PATHS = [
  'data.identifiers.id',
  'data.customer_id',
  'identifiers.id',
  'customer_id',
  'customer.id',
  'external:customerio:data.identifiers.cio_id',
]

export const customerio: Connector = {
  defaultMappings: plainMappings(USUAL_TYPES.customerio),
  verify,
  read: (call) => readSigned(call, toItem),
}

function verify(call: ConnectorCall, secret: string): SignatureVerdict {
  const signature = headerOf(call, 'x-cio-signature')
  const timestamp = headerOf(call, 'x-cio-timestamp')
  if (signature === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return MISSING
  const expected = hmacOf({ algorithm: 'sha256', key: secret, encoding: 'hex' }, `v0:${timestamp}:`, call.body)
  return judge(signature, expected, call.now, Number(timestamp) * 1000)
}

/** Reporting webhooks, in three forms; calls of Data Pipelines; else a webhook of a campaign, as its author wrote it. */
function toItem(item: unknown, now: number): DeliveredItem {
  const event = fieldsOf(item)
  const reported = reportedType(event)
  if (reported === null && KINDS.includes(textOf(event.type) ?? '')) return readCall(item, now, 'customerio')
  const type = reported ?? (isRecord(item) ? 'webhook' : '')
  return {
    deliveryId: deliveryIdOf(event.event_id, item),
    type,
    name: `customerio.${type}`,
    payload: item,
    userIdPaths: USER_PATHS,
    propertiesPath: reported === null ? '' : 'data',
    occurredAt: notAfter(now, timeOf(event.timestamp)),
    traits: type.startsWith('customer.') ? { email: fieldsOf(fieldsOf(event.data).identifiers).email } : null,
  }
}

/** @returns Such as `email.opened`; null for a body that reports nothing */
function reportedType({ object_type, metric, event_type }: Fields): string | null {
  const [object, what, former] = [textOf(object_type), textOf(metric), textOf(event_type)]
  if (what !== null) return object === null ? what : `${object}.${what}`
  return former?.replace('_', '.') ?? null
}
