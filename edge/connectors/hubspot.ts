// Verifies and reads the webhooks of HubSpot: changes of contacts, deals, tickets and other objects.

import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type {
  Connector,
  ConnectorCall,
  DeliveredItem,
  SignatureVerdict,
  SourceChecks,
} from '../domain/connector/connector.ts'
import { type Fields, fieldsOf, textOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, hashOf, headerOf, hmacOf, judge, MISSING, notAfter, readSigned } from './delivery.ts'

const CONTACT = '0-1'
const CONTACT_PATHS = ['external:hubspot:objectId', 'objectId']
/** After a merge, deliveries name the new contact: the user of any of the former ones is its user. */
const MERGE_PATHS = [
  ...['newObjectId', 'primaryObjectId', 'mergedObjectIds[0]', 'mergedObjectIds[1]', 'mergedObjectIds[2]'].map(
    (path) => `external:hubspot:${path}`,
  ),
  'newObjectId',
  'primaryObjectId',
  'objectId',
]
const FORMER: SignatureVerdict = { ok: false, reason: 'The source takes signatures of version 3 alone.' }
/** HubSpot decodes these in the address before it signs version 3. */
const DECODED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi

export const hubspot: Connector = {
  defaultMappings: plainMappings(USUAL_TYPES.hubspot),
  verify,
  read: (call) => readSigned(call, toItem),
}

/** Where version 3 is there it must match: the former ones are never asked instead. */
function verify(call: ConnectorCall, secret: string, { requireV3 }: SourceChecks): SignatureVerdict {
  if (call.headers['x-hubspot-signature-v3'] !== undefined) return verifyV3(call, secret)
  const signature = headerOf(call, 'x-hubspot-signature')
  const version = headerOf(call, 'x-hubspot-signature-version')
  if (signature === null || (version !== 'v1' && version !== 'v2')) return MISSING
  if (requireV3) return FORMER
  const address = version === 'v2' ? call.method + call.url : ''
  const verdict = judge(signature, hashOf(secret + address, call.body), call.now)
  return verdict.ok
    ? { ok: true, warning: `The signature is of version ${version}, which can be forged more easily.` }
    : verdict
}

function verifyV3(call: ConnectorCall, secret: string): SignatureVerdict {
  const signature = headerOf(call, 'x-hubspot-signature-v3')
  const timestamp = headerOf(call, 'x-hubspot-request-timestamp')
  if (signature === null || timestamp === null || !/^\d{1,15}$/.test(timestamp)) return MISSING
  const address = call.method + call.url.replace(DECODED, decodeURIComponent)
  const key = { algorithm: 'sha256', key: secret, encoding: 'base64' } as const
  return judge(signature, hmacOf(key, address, call.body, timestamp), call.now, Number(timestamp))
}

function toItem(item: unknown, now: number): DeliveredItem {
  const event = fieldsOf(item)
  const { occurredAt } = event
  const ids = [event.eventId, event.subscriptionId, occurredAt]
  const type = textOf(event.subscriptionType) ?? ''
  const isContact = type.startsWith('contact.') || event.objectTypeId === CONTACT
  const merged = idOf(event.newObjectId) ?? idOf(event.primaryObjectId)
  const isTimed = typeof occurredAt === 'number' && Number.isSafeInteger(occurredAt) && occurredAt > 0
  const hasIds = ids.every((id) => typeof id === 'number' || (typeof id === 'string' && id !== ''))
  return {
    deliveryId: deliveryIdOf(hasIds ? ids.join('-') : undefined, item),
    type,
    name: `hubspot.${type}`,
    payload: item,
    // The id of a deal or a ticket can equal that of a contact, who is another person.
    userIdPaths: !isContact ? [] : type === 'contact.merge' ? MERGE_PATHS : CONTACT_PATHS,
    propertiesPath: '',
    occurredAt: notAfter(now, isTimed ? occurredAt : undefined),
    traits: isContact ? traitsOf(event) : null,
    externalId: type === 'contact.merge' && merged !== null ? { system: 'hubspot', value: merged } : undefined,
  }
}

const idOf = (id: unknown) => (typeof id === 'number' ? String(id) : textOf(id))

/** A change of a property brings one value: of the profile, only the address is one. */
function traitsOf({ subscriptionType, propertyName, propertyValue }: Fields): Record<string, unknown> | null {
  if (subscriptionType !== 'contact.propertyChange') return null
  return propertyName === 'email' ? { email: propertyValue } : null
}
