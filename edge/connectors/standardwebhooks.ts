// Verifies and reads deliveries by the specification Standard Webhooks, also with the headers of Svix.

import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type { Connector, ConnectorCall, DeliveredItem, SignatureVerdict } from '../domain/connector/connector.ts'
import { fieldsOf, textOf, timeOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, hmacOf, judge, MISSING, notAfter, readSigned, WRONG } from './delivery.ts'
import { USUAL_USER_PATHS } from './hmac.ts'

const MAX_SIGNATURES = 10

export const standardwebhooks: Connector = {
  defaultMappings: plainMappings(USUAL_TYPES.standardwebhooks),
  verify,
  read(call) {
    const { items, unsigned } = readSigned(call, (item) => toItem(item, call))
    // The id is that of the call: items of an array are told apart by their place.
    if (items.length <= 1) return { items, unsigned }
    return { items: items.map((item, at) => ({ ...item, deliveryId: `${item.deliveryId}-${at}` })), unsigned }
  },
}

const field = (call: ConnectorCall, name: string) => headerOf(call, `webhook-${name}`) ?? headerOf(call, `svix-${name}`)

/** The secret is base64 behind `whsec_`; a header has several signatures while it rotates. */
function verify(call: ConnectorCall, secret: string): SignatureVerdict {
  const [id, timestamp] = [field(call, 'id'), field(call, 'timestamp')]
  const signatures = (field(call, 'signature') ?? '').split(' ').filter((one) => one.startsWith('v1,'))
  if (id === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return MISSING
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES) return MISSING
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = `v1,${hmacOf({ algorithm: 'sha256', key, encoding: 'base64' }, `${id}.${timestamp}.`, call.body)}`
  const verdicts = signatures.map((signature) => judge(signature, expected, call.now, Number(timestamp) * 1000))
  return verdicts.find((verdict) => verdict !== WRONG) ?? WRONG
}

function toItem(item: unknown, call: ConnectorCall): DeliveredItem {
  const event = fieldsOf(item)
  const type = textOf(event.type) ?? textOf(event.event_type) ?? ''
  return {
    deliveryId: deliveryIdOf(field(call, 'id') ?? undefined, item),
    type,
    name: `standardwebhooks.${type}`,
    payload: item,
    userIdPaths: USUAL_USER_PATHS,
    propertiesPath: event.data === undefined ? '' : 'data',
    occurredAt: notAfter(call.now, timeOf(event.timestamp)),
    traits: null,
  }
}
