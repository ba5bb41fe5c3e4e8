// Parses the hostile envelope of an enricher call into a call that the service has signed.

import type { DispatchOptions } from './answer.ts'
import { EnricherError, EnricherHmacVerificationError } from './errors.ts'
import { findSignedHeaders, verifySignature } from './signature.ts'

/** The content of the signed payload, of which only the types are checked. */
export interface SignedCall {
  /** `webhook-id`: the same for each attempt of one call. */
  id: string
  name: string
  params: unknown
  user: Record<string, unknown>
  event: Record<string, unknown>
  /** Epoch milliseconds of this attempt. */
  sentAt: number
}

/**
 * Verifies and parses. Uses nothing of the body, and reports no details to the sender, before the signature is
 * verified.
 * @throws EnricherError
 */
export function openEnvelope(
  keys: readonly Uint8Array[],
  body: unknown,
  options: DispatchOptions,
  nowMs: number,
): SignedCall {
  const envelope = toObject(parseBody(body))
  const headers = findSignedHeaders(options.headers, envelope?.headers)
  const payload = envelope?.payload
  if (envelope === undefined || typeof payload !== 'string') throw new EnricherHmacVerificationError('bad-signature')
  verifySignature(keys, headers, payload, nowMs)

  const signed = toObject(tryParse(payload))
  if (signed === undefined || typeof signed.name !== 'string') {
    throw new EnricherError('The signed payload is not the call of an enricher.')
  }
  const names = [envelope.name, options.name ?? undefined].filter((name) => name !== undefined)
  const hasOtherParams = envelope.params !== undefined && !isSameJson(envelope.params, signed.params)
  if (hasOtherParams || names.some((name) => name !== signed.name)) {
    throw new EnricherHmacVerificationError('bad-signature')
  }
  return {
    id: headers.id,
    name: signed.name,
    params: signed.params,
    user: toObject(signed.user) ?? {},
    event: toObject(signed.event) ?? {},
    sentAt: Number(headers.timestamp) * 1000,
  }
}

function parseBody(body: unknown): unknown {
  if (typeof body === 'string') return tryParse(body)
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return tryParse(new TextDecoder().decode(body))
  return body
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/**
 * Compares by value, ignoring the order of keys. The second is parsed JSON, so the recursion ends whatever the first
 * is.
 */
function isSameJson(given: unknown, signed: unknown): boolean {
  if (typeof given !== 'object' || given === null || typeof signed !== 'object' || signed === null) {
    return Object.is(given, signed) || (given === 0 && signed === 0)
  }
  if (Array.isArray(given) !== Array.isArray(signed)) return false
  const [left, right] = [given as Record<string, unknown>, signed as Record<string, unknown>]
  const keys = Object.keys(right)
  return (
    Object.keys(left).length === keys.length &&
    keys.every((key) => Object.hasOwn(left, key) && isSameJson(left[key], right[key]))
  )
}
