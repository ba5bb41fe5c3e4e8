// Verifies and reads the webhooks of HubSpot: changes of contacts, deals, tickets and other objects.

import { findInstant } from '../../contract/instant.ts'
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
const MERGES: ReadonlySet<string> = new Set(['contact.merge', 'object.merge'])
const CHANGES: ReadonlySet<string> = new Set(['contact.propertyChange', 'object.propertyChange'])
/** Contacts of one merge whose users are looked up. */
const MAX_MERGED = 100
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
  const ids = [event.eventId, event.subscriptionId, event.occurredAt]
  const type = textOf(event.subscriptionType) ?? ''
  const isContact = type.startsWith('contact.') || event.objectTypeId === CONTACT
  const isMerge = isContact && MERGES.has(type)
  const merged = idOf(event.newObjectId) ?? idOf(event.primaryObjectId)
  const hasIds = ids.every((id) => typeof id === 'number' || (typeof id === 'string' && id !== ''))
  return {
    deliveryId: deliveryIdOf(hasIds ? ids.join('-') : undefined, item),
    type,
    name: `hubspot.${type}`,
    payload: item,
    // The id of a deal or a ticket can equal that of a contact, who is another person.
    userIdPaths: !isContact ? [] : isMerge ? mergePaths(event) : CONTACT_PATHS,
    propertiesPath: '',
    occurredAt: notAfter(now, instantOf(event.occurredAt)),
    traits: isContact && CHANGES.has(type) ? traitsOf(event) : null,
    externalId: isMerge && merged !== null ? { system: 'hubspot', value: merged } : undefined,
  }
}

/**
 * After a merge, deliveries name the new contact: the user of any of the former ones is its user. Where none has an external
 * id, it is the user with the primary contact's id, as former deliveries made them.
 */
function mergePaths({ mergedObjectIds }: Fields): string[] {
  const count = Array.isArray(mergedObjectIds) ? Math.min(mergedObjectIds.length, MAX_MERGED) : 0
  const merged = Array.from({ length: count }, (_, at) => `mergedObjectIds[${at}]`)
  const looked = ['newObjectId', 'primaryObjectId', ...merged].map((path) => `external:hubspot:${path}`)
  return [...looked, 'primaryObjectId', 'newObjectId', 'objectId']
}

/** Milliseconds, as a number or its digits, or ISO 8601. */
function instantOf(value: unknown): number | undefined {
  const at = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof at !== 'number') return findInstant(at)
  return Number.isSafeInteger(at) && at > 0 ? at : undefined
}

const idOf = (id: unknown) => (typeof id === 'number' ? String(id) : textOf(id))

/** A change brings one property: the address and the language are of the profile, the others are traits to list. */
function traitsOf({ propertyName, propertyValue }: Fields): Record<string, unknown> | null {
  const name = textOf(propertyName)
  if (name === null) return null
  return name === 'hs_language' ? { locale: propertyValue, [name]: propertyValue } : { [name]: propertyValue }
}
