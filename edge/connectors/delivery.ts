// Reads the body of a delivery into items, and what all platforms have in common.

import { createHash, createHmac } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import type { ConnectorCall, DeliveredItem, ReadDelivery, SignatureVerdict } from '../domain/connector/connector.ts'
import { ApiError } from '../lib/api-error.ts'
import { isEqualInConstantTime, sha256Hex } from '../lib/hmac.ts'
import { parseBody, textOf } from '../lib/webhook-body.ts'

export const SIGNED: SignatureVerdict = { ok: true }
export const MISSING: SignatureVerdict = { ok: false, reason: 'The signature is missing or malformed.' }
export const WRONG: SignatureVerdict = { ok: false, reason: 'The signature does not match the body and the secret.' }
const STALE: SignatureVerdict = { ok: false, reason: 'The timestamp is more than five minutes off.' }

const TOLERANCE_MS = 5 * 60 * 1000
const MAX_ID_CHARS = 200

/** @returns the text of a header that came once; null for anything else */
export function headerOf({ headers }: ConnectorCall, name: string): string | null {
  return textOf(headers[name])
}

/** @returns the HMAC of these parts, one after the other */
export function hmacOf(
  { algorithm, key, encoding }: { algorithm: 'sha1' | 'sha256'; key: string | Buffer; encoding: 'hex' | 'base64' },
  ...parts: (string | Buffer)[]
): string {
  const hmac = createHmac(algorithm, key)
  for (const part of parts) hmac.update(part)
  return hmac.digest(encoding)
}

/** @returns the SHA-256 of these parts, one after the other, in lower-case hex */
export function hashOf(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** Compares a signature with the expected one. @param sentAt Epoch ms, of schemes with a time, on either side of now */
export function judge(signature: string, expected: string, now: number, sentAt = now): SignatureVerdict {
  if (!isEqualInConstantTime(signature, expected)) return WRONG
  return Math.abs(sentAt - now) <= TOLERANCE_MS ? SIGNED : STALE
}

/** Reads a delivery whose signature covers all its items. */
export function readSigned(
  { body, now }: ConnectorCall,
  toItem: (item: unknown, now: number) => DeliveredItem,
): ReadDelivery {
  return { items: readItems(body).map((item) => toItem(item, now)), unsigned: 0 }
}

/** Tells items of an array apart by their place, where their id is that of the call. */
export function withPlaces({ items, unsigned }: ReadDelivery): ReadDelivery {
  if (items.length <= 1) return { items, unsigned }
  return { items: items.map((item, at) => ({ ...item, deliveryId: `${item.deliveryId}-${at}` })), unsigned }
}

/**
 * Reads the items of a body: those of an array, or the object itself.
 * @throws ApiError `request/invalid-body` for other bodies, for bytes that are no UTF-8, and above 1,000 items
 */
export function readItems(body: Buffer): unknown[] {
  const parsed = parseBody(decode(body))
  if (typeof parsed !== 'object' || parsed === null) throw invalid('The body must be an object or an array.')
  if (!Array.isArray(parsed)) return [parsed]
  if (parsed.length > LIMITS.batchEvents) throw invalid(`At most ${LIMITS.batchEvents} items.`)
  return parsed
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw invalid('The body is not UTF-8.')
  }
}

const invalid = (message: string) => new ApiError('request/invalid-body', { message })

/**
 * The id of a delivery; where the platform gives none that can be kept, a hash of the item.
 * @throws ApiError `request/invalid-body` for an item without an id that is nested too deeply to be written
 */
export function deliveryIdOf(id: unknown, item: unknown): string {
  const text = typeof id === 'number' ? String(id) : textOf(id)
  return text !== null && text.length <= MAX_ID_CHARS ? text : `sha256:${sha256Hex(write(item))}`
}

function write(item: unknown): string {
  try {
    return JSON.stringify(item)
  } catch {
    throw invalid('The body is nested too deeply.')
  }
}

/** The time of the item; never after now. @param at Epoch ms */
export function notAfter(now: number, at: number | undefined): number | undefined {
  return at === undefined ? undefined : Math.min(at, now)
}
