// Verifies and reads the events of Stripe.

import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type { Connector, ConnectorCall, DeliveredItem, SignatureVerdict } from '../domain/connector/connector.ts'
import { fieldsOf, secondsToMs, textOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, hmacOf, judge, MISSING, notAfter, readSigned, WRONG } from './delivery.ts'

const USER_PATHS = ['data.object.metadata.userId', 'data.object.customer', 'data.object.customer.id']
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
  return {
    deliveryId: deliveryIdOf(event.id, item),
    type,
    name: `stripe.${type}`,
    payload: item,
    userIdPaths: USER_PATHS,
    propertiesPath: 'data.object',
    occurredAt: notAfter(now, secondsToMs(event.created)),
    traits: null,
  }
}
