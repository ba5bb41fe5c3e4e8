// Verifies and reads the events of Stripe.

import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type { Connector, ConnectorCall, DeliveredItem, SignatureVerdict } from '../domain/connector/connector.ts'
import { fieldsOf, textOf, timeOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, hmacOf, judge, MISSING, notAfter, readSigned, WRONG } from './delivery.ts'

/** Customers write the id of their user in one of these. */
const SPELLINGS = ['userId', 'user_id', 'userID', 'userid', 'UserId', 'user-id', 'uid']
/** Those of the object, then of an invoice's subscription (in either version of the API) and of its first line. */
const METADATA = [
  'metadata',
  'parent.subscription_details.metadata',
  'subscription_details.metadata',
  'lines.data[0].metadata',
]
const OWN_PATHS = [
  'data.object.client_reference_id',
  ...METADATA.flatMap((place) => SPELLINGS.map((spelling) => `data.object.${place}.${spelling}`)),
]
const CUSTOMER_PATHS = ['data.object.customer', 'data.object.customer.id']
const USER_PATHS = [...OWN_PATHS, ...CUSTOMER_PATHS.map((path) => `external:stripe:${path}`), ...CUSTOMER_PATHS]
/** The object is the customer. */
const CUSTOMER_USER_PATHS = [...OWN_PATHS, 'external:stripe:data.object.id', 'data.object.id']
/** Types that say whose customer it is. */
const TELLING = /^(?:checkout\.session\.(?:completed|async_payment_succeeded)|customer\.(?:created|updated))$/
/** More than Stripe sends while its secret changes. */
const MAX_SIGNATURES = 10

export const stripe: Connector = {
  defaultMappings: plainMappings(USUAL_TYPES.stripe),
  verify,
  read: (call) => readSigned(call, toItem),
}

/** The header is `t=<seconds>,v1=<hex>[,v1=<hex>][,v0=…]`; one `v1` that matches is enough, and `v0` counts nothing. */
function verify(call: ConnectorCall, secret: string): SignatureVerdict {
  const header = headerOf(call, 'stripe-signature') ?? ''
  const parts = header.split(',').map((part) => part.split('='))
  const valuesOf = (name: string) => parts.filter(([key]) => key === name).map(([, value = '']) => value)
  const [[timestamp = '', ...more], signatures] = [valuesOf('t'), valuesOf('v1')]
  // A header that came twice arrives joined by a comma and a space.
  const isWellFormed = !header.includes(' ') && /^\d{1,12}$/.test(timestamp) && more.length === 0
  if (!isWellFormed || signatures.length === 0 || signatures.length > MAX_SIGNATURES) return MISSING
  const expected = hmacOf({ algorithm: 'sha256', key: secret, encoding: 'hex' }, `${timestamp}.`, call.body)
  const verdicts = signatures.map((signature) => judge(signature, expected, call.now, Number(timestamp) * 1000))
  return verdicts.find((verdict) => verdict !== WRONG) ?? WRONG
}

function toItem(item: unknown, now: number): DeliveredItem {
  const event = fieldsOf(item)
  const type = textOf(event.type) ?? ''
  const object = fieldsOf(fieldsOf(event.data).object)
  const isCustomer = object.object === 'customer'
  const customer = textOf(isCustomer ? object.id : object.customer)
  return {
    deliveryId: deliveryIdOf(event.id, item),
    type,
    name: `stripe.${type}`,
    payload: item,
    userIdPaths: isCustomer ? CUSTOMER_USER_PATHS : USER_PATHS,
    propertiesPath: 'data.object',
    occurredAt: notAfter(now, timeOf(event.created)),
    traits: isCustomer && type !== 'customer.deleted' ? { ...object, locale: firstOf(object.preferred_locales) } : null,
    externalId: customer !== null && TELLING.test(type) ? { system: 'stripe', value: customer } : undefined,
  }
}

const firstOf = (list: unknown) => (Array.isArray(list) ? list[0] : undefined)
