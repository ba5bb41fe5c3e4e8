// Verifies and reads the notifications of Intercom, such as those of conversations.

import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type { Connector, ConnectorCall, DeliveredItem, SignatureVerdict } from '../domain/connector/connector.ts'
import { fieldsOf, textOf, timeOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, hmacOf, judge, MISSING, notAfter, readSigned } from './delivery.ts'

const USER_PATHS = [
  'data.item.user_id',
  'data.item.external_id',
  'data.item.user.user_id',
  'data.item.contacts.contacts[0].external_id',
  'external:intercom:data.item.user.id',
  'external:intercom:data.item.contacts.contacts[0].id',
]
const CONTACT_PATHS = [...USER_PATHS, 'external:intercom:data.item.id']

export const intercom: Connector = {
  defaultMappings: plainMappings(USUAL_TYPES.intercom),
  verify,
  read: (call) => readSigned(call, toItem),
}

function verify(call: ConnectorCall, secret: string): SignatureVerdict {
  const signature = headerOf(call, 'x-hub-signature')
  if (signature?.startsWith('sha1=') !== true) return MISSING
  const expected = hmacOf({ algorithm: 'sha1', key: secret, encoding: 'hex' }, call.body)
  return judge(signature, `sha1=${expected}`, call.now)
}

function toItem(item: unknown, now: number): DeliveredItem {
  const notification = fieldsOf(item)
  const type = textOf(notification.topic) ?? ''
  const contact = fieldsOf(fieldsOf(notification.data).item)
  const isContact = /^(?:contact|user)\./.test(type)
  const id = textOf(contact.id)
  return {
    deliveryId: deliveryIdOf(notification.id, item),
    type,
    name: `intercom.${type}`,
    payload: item,
    userIdPaths: isContact ? CONTACT_PATHS : USER_PATHS,
    propertiesPath: 'data.item',
    occurredAt: notAfter(now, timeOf(notification.created_at)),
    traits: isContact && !type.endsWith('.deleted') ? contact : null,
    externalId: isContact && id !== null ? { system: 'intercom', value: id } : undefined,
  }
}
