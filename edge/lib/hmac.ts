// Hashes and message authentication codes of text (contract sections 2, 4 and 8), and the comparison that tells nothing by its time.

import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** Lower-case hex SHA-256 of the UTF-8 text. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Lower-case hex HMAC-SHA256; text is taken as UTF-8. */
export function hmacHex(key: string | Uint8Array, message: string): string {
  return createHmac('sha256', key).update(message, 'utf8').digest('hex')
}

/** Standard base64 HMAC-SHA256; text is taken as UTF-8. */
export function hmacBase64(key: string | Uint8Array, message: string): string {
  return createHmac('sha256', key).update(message, 'utf8').digest('base64')
}

/** Equality whose time depends on the lengths alone. */
export function isEqualInConstantTime(left: string, right: string): boolean {
  const a = Buffer.from(left, 'utf8')
  const b = Buffer.from(right, 'utf8')
  return a.length === b.length && timingSafeEqual(a, b)
}
