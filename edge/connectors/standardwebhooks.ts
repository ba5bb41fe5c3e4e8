// Verifies and reads deliveries by the specification Standard Webhooks, also with the headers of Svix.

import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type {
  Connector,
  ConnectorCall,
  DeliveredItem,
  SignatureParts,
  SignatureVerdict,
} from '../domain/connector/connector.ts'
import { fieldsOf, textOf, timeOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, hmacOf, judge, MISSING, notAfter, readSigned, WRONG, withPlaces } from './delivery.ts'
import { USUAL_USER_PATHS } from './hmac.ts'

const MAX_SIGNATURES = 10

export const standardwebhooks: Connector = {
  defaultMappings: plainMappings(USUAL_TYPES.standardwebhooks),
  verify,
  examine,
  read: (call) => withPlaces(readSigned(call, (item) => toItem(item, call))),
}

const field = (call: ConnectorCall, name: string) => headerOf(call, `webhook-${name}`) ?? headerOf(call, `svix-${name}`)

/** A header has several signatures while the secret rotates. */
function readHeaders(call: ConnectorCall) {
  const [id, timestamp] = [field(call, 'id'), field(call, 'timestamp')]
  const received = (field(call, 'signature') ?? '').split(' ').filter((one) => one.startsWith('v1,'))
  return { id, timestamp: timestamp !== null && /^\d{1,12}$/.test(timestamp) ? timestamp : null, received }
}

/** The secret is base64 behind `whsec_`; Supabase has `v1,whsec_`. */
function signatureOf(call: ConnectorCall, secret: string, id: string, timestamp: string): string {
  const key = Buffer.from(secret.replace(/^(?:v1,)?whsec_/, ''), 'base64')
  return `v1,${hmacOf({ algorithm: 'sha256', key, encoding: 'base64' }, `${id}.${timestamp}.`, call.body)}`
}

function verify(call: ConnectorCall, secret: string): SignatureVerdict {
  const { id, timestamp, received } = readHeaders(call)
  if (id === null || timestamp === null || received.length === 0 || received.length > MAX_SIGNATURES) return MISSING
  const expected = signatureOf(call, secret, id, timestamp)
  const verdicts = received.map((signature) => judge(signature, expected, call.now, Number(timestamp) * 1000))
  return verdicts.find((verdict) => verdict !== WRONG) ?? WRONG
}

function examine(call: ConnectorCall, secret: string): SignatureParts {
  const { id, timestamp, received } = readHeaders(call)
  if (id === null || timestamp === null) return { received, expected: null, signed: null, timestamp }
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), call.body])
  return { received, expected: signatureOf(call, secret, id, timestamp), signed, timestamp }
}

function toItem(item: unknown, call: ConnectorCall): DeliveredItem {
  const event = fieldsOf(item)
  // Hooks of Supabase have the name of the hook alone.
  const type = textOf(event.type) ?? textOf(event.event_type) ?? textOf(fieldsOf(event.metadata).name) ?? ''
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
