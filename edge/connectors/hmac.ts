// Verifies and reads deliveries of any sender that signs with an HMAC, as the settings of the source describe it.

import { createHmac } from 'node:crypto'
import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type {
  Connector,
  ConnectorCall,
  DeliveredItem,
  SignatureVerdict,
  SourceChecks,
} from '../domain/connector/connector.ts'
import type { HmacSettings } from '../domain/connector/hmac-settings.ts'
import { isEqualInConstantTime } from '../lib/hmac.ts'
import { fieldsOf, textOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, judge, MISSING, readSigned, WRONG } from './delivery.ts'
import { valueAt } from './map-item.ts'

/** Where senders usually have the id of their customer's user. */
export const USUAL_USER_PATHS = ['data.user_id', 'data.userId', 'user_id', 'userId']
const DEFAULT_TOLERANCE_SECONDS = 300
const HEADER_PATH = 'header:'
const NO_SETTINGS: SignatureVerdict = { ok: false, reason: 'The source has no settings of its signature.' }
const STALE: SignatureVerdict = { ok: false, reason: 'The timestamp is too far off.' }
/** Signatures in one header, such as during a rotation. */
const MAX_SIGNATURES = 10

export const hmac: Connector = {
  defaultMappings: plainMappings(USUAL_TYPES.hmac),
  verify,
  read: (call, { settings }) => readSigned(call, (item) => toItem(item, call, settings)),
}

function verify(call: ConnectorCall, secret: string, { settings }: SourceChecks): SignatureVerdict {
  if (settings === null) return NO_SETTINGS
  const signatures = partsOf(call, settings.header, settings.prefix ?? '')
  const needsTime = settings.signedString.includes('timestamp')
  const timestamp = needsTime || settings.timestampHeader !== undefined ? timestampOf(call, settings) : undefined
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES || timestamp === null) return MISSING
  const expected = signatureOf(call, secret, settings, timestamp)
  if (!signatures.some((signature) => isEqualInConstantTime(signature, expected))) return WRONG
  if (timestamp === undefined) return judge(expected, expected, call.now)
  const toleranceMs = (settings.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS) * 1000
  return Math.abs(instantOf(timestamp) - call.now) <= toleranceMs ? judge(expected, expected, call.now) : STALE
}

/** The values of a header, or of its parts with a prefix such as `v1=`, without the prefix. */
function partsOf(call: ConnectorCall, header: string, prefix: string): string[] {
  const value = headerOf(call, header.toLowerCase())
  if (value === null) return []
  if (value.startsWith(prefix) && !/[,;]/.test(value)) return [value.slice(prefix.length)]
  const parts = value.split(/[,;]/).map((part) => part.trim())
  return prefix === ''
    ? [value]
    : parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length))
}

function timestampOf(call: ConnectorCall, { header, timestampHeader, timestampPrefix }: HmacSettings): string | null {
  const [timestamp = '', ...more] = partsOf(call, timestampHeader ?? header, timestampPrefix ?? '')
  return more.length === 0 && /^\d{1,16}$/.test(timestamp) ? timestamp : null
}

/** Seconds below 10^11, else milliseconds. */
const instantOf = (timestamp: string) => (Number(timestamp) < 1e11 ? Number(timestamp) * 1000 : Number(timestamp))

/** @returns The signature that the settings ask for */
export function signatureOf(
  { body, url, method }: ConnectorCall,
  secret: string,
  { algorithm, encoding, signedString }: HmacSettings,
  timestamp = '',
): string {
  const signed = createHmac(algorithm, secret)
  // Words are replaced; what is between them stays, such as the point of `timestamp.body`.
  for (const part of signedString.split(/(timestamp|body|url|method)/)) {
    signed.update({ timestamp, body, url, method }[part] ?? part)
  }
  return signed.digest(encoding)
}

function toItem(item: unknown, call: ConnectorCall, settings: HmacSettings | null): DeliveredItem {
  const at = (path: string) =>
    path.startsWith(HEADER_PATH) ? headerOf(call, path.slice(HEADER_PATH.length).toLowerCase()) : valueAt(item, path)
  const type = textOf(at(settings?.typePath ?? 'type')) ?? ''
  return {
    deliveryId: deliveryIdOf(at(settings?.idPath ?? 'id'), item),
    type,
    name: `hmac.${type}`,
    payload: item,
    userIdPaths: USUAL_USER_PATHS,
    propertiesPath: fieldsOf(item).data === undefined ? '' : 'data',
    occurredAt: undefined,
    traits: null,
  }
}
