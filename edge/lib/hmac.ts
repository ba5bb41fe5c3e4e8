// Computes hashes and message authentication codes of text, and compares in constant time.

import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** @returns SHA-256 of the UTF-8 text, in lower-case hex. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

/** @returns HMAC-SHA256 of the UTF-8 text, in lower-case hex. */
export function hmacHex(key: string | Uint8Array, message: string): string {
  return createHmac('sha256', key).update(message, 'utf8').digest('hex')
}

/** @returns HMAC-SHA256 of the UTF-8 text, in standard base64. */
export function hmacBase64(key: string | Uint8Array, message: string): string {
  return createHmac('sha256', key).update(message, 'utf8').digest('base64')
}

/** Compares texts in a time that depends on their lengths only. */
export function isEqualInConstantTime(left: string, right: string): boolean {
  const a = Buffer.from(left, 'utf8')
  const b = Buffer.from(right, 'utf8')
  return a.length === b.length && timingSafeEqual(a, b)
}
