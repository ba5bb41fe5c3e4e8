// The signature of an enricher call: Standard Webhooks, over the verbatim payload (contract section 8, specification 5.4).

import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { EnricherHmacVerificationError } from './errors.ts'

/** Headers in any form that a framework has them; names in any case. */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined }

const TOLERANCE_SECONDS = 300
/** HTTP knows no longer one; no time is spent on what a parsed body may hold. */
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
 * The keys that a secret may mean: the bytes of `whsec_<base64>`; of any other text its own in UTF-8, and where it is base64
 * what that stands for. Throws a TypeError, without the value, for a `whsec_` without base64.
 */
export function decodeSigningSecret(secret: string): Uint8Array[] {
  const isPrefixed = secret.startsWith('whsec_')
  const text = isPrefixed ? secret.slice('whsec_'.length) : secret
  const keys = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? [new Uint8Array(Buffer.from(text, 'base64'))] : []
  if (!isPrefixed) return [new Uint8Array(Buffer.from(text, 'utf8')), ...keys]
  if (keys.length === 0) throw new TypeError('webhookSigningSecret must be whsec_ and base64.')
  return keys
}

/** The three headers: all from the real ones when any of them is there, else all from the copies in the body. */
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

/** A repeated header comes as a list; its values are one list of signatures. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(' ')
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/**
 * Throws EnricherHmacVerificationError. The signature is judged first: of a timestamp that anyone may have written there
 * is nothing to say.
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

/** One of several is enough: there are two in an overlap of secrets. All are compared, so that the time tells nothing. */
function hasMatch(signature: string, macs: readonly Uint8Array[]): boolean {
  let matches = false
  // A platform joins a repeated header with a comma and a space.
  for (const one of signature.split(/,?\s+/)) {
    if (!SIGNATURE.test(one)) continue
    const given = Buffer.from(one.slice('v1,'.length), 'base64')
    for (const mac of macs) if (timingSafeEqual(given, mac)) matches = true
  }
  return matches
}
