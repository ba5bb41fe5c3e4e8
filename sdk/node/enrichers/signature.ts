// Verifies the signature of an enricher call (Standard Webhooks) over the verbatim payload.

import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { EnricherHmacVerificationError } from './errors.ts'

/** Headers in the forms of all frameworks; names in any case. */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined }

const TOLERANCE_SECONDS = 300
/** No HTTP header is longer, and a longer copy in a body must cost no time. */
const MAX_HEADER_CHARS = 16_384
const TIMESTAMP = /^\d{1,12}$/
/** SHA-256 in standard base64. */
const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/

export interface SignedHeaders {
  id: string
  timestamp: string
  signature: string
}

/**
 * Decodes a secret into all keys that it may mean: the bytes of `whsec_<base64>`; for any other text its UTF-8 bytes
 * and, where it is base64, the decoded bytes.
 * @throws TypeError, without the value, for a `whsec_` without base64
 */
export function decodeSigningSecret(secret: string): Uint8Array[] {
  const isPrefixed = secret.startsWith('whsec_')
  const text = isPrefixed ? secret.slice('whsec_'.length) : secret
  const keys = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? [new Uint8Array(Buffer.from(text, 'base64'))] : []
  if (!isPrefixed) return [new Uint8Array(Buffer.from(text, 'utf8')), ...keys]
  if (keys.length === 0) throw new TypeError('webhookSigningSecret must be whsec_ and base64.')
  return keys
}

/** Returns the three headers: all from the request when it has any of them, else all from the copies in the body. */
export function findSignedHeaders(real: unknown, copied: unknown): SignedHeaders {
  const first = readHeaders(real)
  const { id, timestamp, signature } = Object.values(first).some((value) => value !== '') ? first : readHeaders(copied)
  if (id === '' || timestamp === '' || signature === '') throw new EnricherHmacVerificationError('missing-header')
  return { id, timestamp, signature }
}

function readHeaders(source: unknown): SignedHeaders {
  const read = readerOf(source)
  return { id: read('webhook-id'), timestamp: read('webhook-timestamp'), signature: read('webhook-signature') }
}

function readerOf(source: unknown): (name: string) => string {
  if (typeof source !== 'object' || source === null) return () => ''
  if ('get' in source && typeof source.get === 'function') {
    const headers = source as { get(name: string): unknown }
    return (name) => toText(headers.get(name))
  }
  const entries = Object.entries(source).map(([name, value]): [string, unknown] => [name.toLowerCase(), value])
  const byName = new Map(entries)
  return (name) => toText(byName.get(name))
}

/** Joins the list of a repeated header to one list of signatures. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(' ')
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/**
 * Verifies signature and age. The signature comes first, because the age of a forged timestamp means nothing.
 * @throws EnricherHmacVerificationError
 */
export function verifySignature(
  keys: readonly Uint8Array[],
  headers: SignedHeaders,
  payload: string,
  nowMs: number,
): void {
  const { id, timestamp, signature } = headers
  if (id.length + timestamp.length + signature.length > MAX_HEADER_CHARS) {
    throw new EnricherHmacVerificationError('bad-signature')
  }
  const macs = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`, 'utf8').digest())
  if (!hasMatch(signature, macs)) throw new EnricherHmacVerificationError('bad-signature')
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp)
  if (!TIMESTAMP.test(timestamp) || Math.abs(ageSeconds) > TOLERANCE_SECONDS) {
    throw new EnricherHmacVerificationError('stale-timestamp')
  }
}

/**
 * Returns true when one signature matches: an overlap of secrets has two. Compares all, so that the time reveals
 * nothing.
 */
function hasMatch(signature: string, macs: readonly Uint8Array[]): boolean {
  let matches = false
  // Platforms join a repeated header with a comma and a space.
  for (const one of signature.split(/,?\s+/)) {
    if (!SIGNATURE.test(one)) continue
    const given = Buffer.from(one.slice('v1,'.length), 'base64')
    for (const mac of macs) if (timingSafeEqual(given, mac)) matches = true
  }
  return matches
}
