// Verifies and reads deliveries of any sender that signs with an HMAC, as the settings of the source describe it.

import { createHmac } from 'node:crypto'
import { findInstant } from '../../contract/instant.ts'
import type { HmacSettings } from '../../contract/resources/hmac-settings.ts'
import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type {
  Connector,
  ConnectorCall,
  DeliveredItem,
  SignatureParts,
  SignatureVerdict,
  SourceChecks,
} from '../domain/connector/connector.ts'
import { ApiError } from '../lib/api-error.ts'
import { isEqualInConstantTime } from '../lib/hmac.ts'
import { fieldsOf, textOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, MISSING, readSigned, SIGNED, WRONG, withPlaces } from './delivery.ts'
import { valueAt } from './path.ts'

/** Where senders usually have the id of their customer's user. */
export const USUAL_USER_PATHS = ['data.user_id', 'data.userId', 'user_id', 'userId']
const DEFAULT_TOLERANCE_SECONDS = 300
const HEADER_PATH = 'header:'
const NO_SETTINGS: SignatureVerdict = { ok: false, reason: 'The source has no settings of its signature.' }
const STALE: SignatureVerdict = { ok: false, reason: 'The timestamp is too far off.' }
/** Signatures in one header, such as during a rotation. */
const MAX_SIGNATURES = 10
const FORM = 'application/x-www-form-urlencoded'
const MAX_FORM_FIELDS = 1000
/** What is between quotes belongs to one part. */
const PARTS = /(?:"[^"]*"|[^,;\s])+/g

export const hmac: Connector = {
  defaultMappings: plainMappings(USUAL_TYPES.hmac),
  verify,
  examine,
  read(call, { settings }) {
    const body = headerOf(call, 'content-type')?.startsWith(FORM) ? Buffer.from(fromForm(call.body)) : call.body
    const delivery = readSigned({ ...call, body }, (item) => toItem(item, call, settings))
    return settings?.idPath.startsWith(HEADER_PATH) ? withPlaces(delivery) : delivery
  },
}

/**
 * @returns the JSON of a form: of its field `payload`, as GitHub and Slack send it, or of its fields
 * @throws ApiError `request/invalid-body` for more fields than a form has
 */
function fromForm(body: Buffer): string {
  const text = body.toString('utf8')
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    throw new ApiError('request/invalid-body', { message: `A form has at most ${MAX_FORM_FIELDS} fields.` })
  }
  const form = new URLSearchParams(text)
  return form.get('payload') ?? JSON.stringify(Object.fromEntries(form))
}

function verify(call: ConnectorCall, secret: string, { settings }: SourceChecks): SignatureVerdict {
  if (settings === null) return NO_SETTINGS
  const { received, timestamp } = readHeaders(call, settings)
  if (received.length === 0 || received.length > MAX_SIGNATURES || timestamp === null) return MISSING
  const expected = signatureOf(call, secret, settings, timestamp)
  if (!received.some((signature) => isEqualInConstantTime(toUsual(signature, settings), expected))) return WRONG
  if (timestamp === undefined) return SIGNED
  const toleranceMs = (settings.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS) * 1000
  return Math.abs((instantOf(timestamp) ?? 0) - call.now) <= toleranceMs ? SIGNED : STALE
}

function examine(call: ConnectorCall, secret: string, { settings }: SourceChecks): SignatureParts {
  if (settings === null) return { received: [], expected: null, signed: null, timestamp: null }
  const { received, timestamp } = readHeaders(call, settings)
  // Credentials are the secret itself, which a trial never tells.
  if (settings.algorithm === 'basic') return { received: [], expected: null, signed: null, timestamp: null }
  if (timestamp === null) return { received, expected: null, signed: null, timestamp }
  const signed = Buffer.concat(signedParts(call, settings, timestamp).map((part) => Buffer.from(part)))
  return { received, expected: signatureOf(call, secret, settings, timestamp), signed, timestamp: timestamp ?? null }
}

interface SignatureHeaders {
  received: string[]
  /** Undefined: the scheme has none. Null: the call has none that can be read. */
  timestamp: string | null | undefined
}

function readHeaders(call: ConnectorCall, settings: HmacSettings): SignatureHeaders {
  const isTimed = settings.signedString.includes('timestamp') || settings.timestampHeader !== undefined
  const timestamp = isTimed && settings.algorithm !== 'basic' ? timestampOf(call, settings) : undefined
  return { received: partsOf(call, settings.header, settings.prefix ?? ''), timestamp }
}

/** The values of a header, or of its parts with a prefix such as `v1=`, without the prefix. */
function partsOf(call: ConnectorCall, header: string, prefix: string): string[] {
  const value = headerOf(call, header.toLowerCase())
  if (value === null) return []
  const rest = value.slice(prefix.length)
  if (prefix === '' || (value.startsWith(prefix) && !/[,;\s]/.test(rest))) return [withoutQuotes(rest)]
  const parts = value.match(PARTS) ?? []
  return parts.filter((part) => part.startsWith(prefix)).map((part) => withoutQuotes(part.slice(prefix.length)))
}

const withoutQuotes = (text: string) => text.replace(/^"([^"]*)"$/, '$1')

function timestampOf(call: ConnectorCall, { header, timestampHeader, timestampPrefix }: HmacSettings): string | null {
  const [timestamp = '', ...more] = partsOf(call, timestampHeader ?? header, timestampPrefix ?? '')
  return more.length === 0 && instantOf(timestamp) !== undefined ? timestamp : null
}

/** Unix time in digits, or ISO 8601. */
const instantOf = (timestamp: string) => findInstant(/^\d{1,16}$/.test(timestamp) ? Number(timestamp) : timestamp)

/** Some senders write hex in capitals, and base64 for addresses or without its end. */
function toUsual(signature: string, { algorithm, encoding }: HmacSettings): string {
  if (algorithm === 'basic') return signature
  if (encoding === 'hex') return signature.toLowerCase()
  const base64 = signature.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '')
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, '=')
}

/** @returns The signature that the settings ask for; for `basic` the credentials */
export function signatureOf(call: ConnectorCall, secret: string, settings: HmacSettings, timestamp = ''): string {
  const { algorithm, encoding } = settings
  if (algorithm === 'basic') return Buffer.from(secret).toString('base64')
  const hmac = createHmac(algorithm, secret)
  for (const part of signedParts(call, settings, timestamp)) hmac.update(part)
  return hmac.digest(encoding)
}

/** Words are replaced; what is between them stays, such as the point of `timestamp.body`. */
function signedParts({ body, url, method }: ConnectorCall, { signedString }: HmacSettings, timestamp = '') {
  const parts = signedString.split(/(timestamp|body|url|method)/)
  return parts.map((part): string | Buffer => ({ timestamp, body, url, method })[part] ?? part)
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
