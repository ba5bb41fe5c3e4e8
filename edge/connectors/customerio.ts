// Verifies and reads the reporting webhooks of Customer.io: what became of its messages.

import type { Connector, ConnectorCall, SignatureVerdict } from '../domain/connector/connector.ts'
import { fieldsOf, secondsToMs, textOf } from '../lib/webhook-body.ts'
import {
  deliveryIdOf,
  headerOf,
  hmacOf,
  isFresh,
  isSignedByOneOf,
  MISSING,
  notAfter,
  readItems,
  SIGNED,
  STALE,
  WRONG,
} from './delivery.ts'
import { plainMappings } from './map-item.ts'

export const customerio: Connector = {
  platform: 'customerio',
  title: 'Customer.io',
  secretHelp: 'In Customer.io: Integrations, “Reporting webhooks”, “Webhook signing key”.',
  defaultMappings: plainMappings([
    'email.sent',
    'email.delivered',
    'email.opened',
    'email.clicked',
    'email.bounced',
    'email.unsubscribed',
    'customer.subscribed',
    'customer.unsubscribed',
  ]),
  verify,
  read: ({ body, now }) => ({
    unsigned: 0,
    items: readItems(body).items.map((item) => {
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
    }),
  }),
}

function verify(call: ConnectorCall, secrets: readonly string[]): SignatureVerdict {
  const signature = headerOf(call, 'x-cio-signature')
  const timestamp = headerOf(call, 'x-cio-timestamp')
  if (signature === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return MISSING
  const sign = (key: string) => hmacOf({ algorithm: 'sha256', key, encoding: 'hex' }, `v0:${timestamp}:`, call.body)
  if (!isSignedByOneOf(secrets, signature, sign)) return WRONG
  return isFresh(Number(timestamp) * 1000, call.now) ? SIGNED : STALE
}
