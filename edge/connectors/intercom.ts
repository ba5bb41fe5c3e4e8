// Verifies and reads the notifications of Intercom, such as those of conversations.

import type { Connector, ConnectorCall, SignatureVerdict } from '../domain/connector/connector.ts'
import { fieldsOf, secondsToMs, textOf } from '../lib/webhook-body.ts'
import {
  deliveryIdOf,
  headerOf,
  hmacOf,
  isSignedByOneOf,
  MISSING,
  notAfter,
  readItems,
  SIGNED,
  WRONG,
} from './delivery.ts'
import { plainMappings } from './map-item.ts'

const USER_PATHS = [
  'data.item.user_id',
  'data.item.external_id',
  'data.item.user.user_id',
  'data.item.contacts.contacts[0].external_id',
]

export const intercom: Connector = {
  platform: 'intercom',
  title: 'Intercom',
  secretHelp: 'In Intercom: Developer Hub, your app, “Basic information”, “Client secret”.',
  defaultMappings: plainMappings([
    'conversation.user.created',
    'conversation.user.replied',
    'conversation.admin.replied',
    'conversation.admin.closed',
    'conversation.rating.added',
  ]),
  verify,
  read: ({ body, now }) => ({
    unsigned: 0,
    items: readItems(body).items.map((item) => {
      const notification = fieldsOf(item)
      const type = textOf(notification.topic) ?? ''
      return {
        deliveryId: deliveryIdOf(notification.id, item),
        type,
        name: `intercom.${type}`,
        payload: item,
        userIdPaths: USER_PATHS,
        propertiesPath: 'data.item',
        occurredAt: notAfter(now, secondsToMs(notification.created_at)),
        traits: null,
      }
    }),
  }),
}

function verify(call: ConnectorCall, secrets: readonly string[]): SignatureVerdict {
  const signature = headerOf(call, 'x-hub-signature')
  if (signature?.startsWith('sha1=') !== true) return MISSING
  const sign = (key: string) => `sha1=${hmacOf({ algorithm: 'sha1', key, encoding: 'hex' }, call.body)}`
  return isSignedByOneOf(secrets, signature, sign) ? SIGNED : WRONG
}
