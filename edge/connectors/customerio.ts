// Verifies and reads the reporting webhooks of Customer.io: what became of its messages.

import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type { Connector, ConnectorCall, DeliveredItem, SignatureVerdict } from '../domain/connector/connector.ts'
import { fieldsOf, secondsToMs, textOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, hmacOf, judge, MISSING, notAfter, readSigned } from './delivery.ts'

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

function toItem(item: unknown, now: number): DeliveredItem {
  const event = fieldsOf(item)
  const [object, metric] = [textOf(event.object_type), textOf(event.metric)]
  const type = object === null || metric === null ? '' : `${object}.${metric}`
  return {
    deliveryId: deliveryIdOf(event.event_id, item),
    type,
    name: `customerio.${type}`,
    payload: item,
    userIdPaths: ['data.identifiers.id', 'data.customer_id'],
    propertiesPath: 'data',
    occurredAt: notAfter(now, secondsToMs(event.timestamp)),
    traits: null,
  }
}
