// Checks addresses of mail.

import { domainToASCII } from 'node:url'

/** RFC 5321, without angle brackets. */
const MAX_ADDRESS_BYTES = 254
const MAX_LOCAL_BYTES = 64
/** Includes what has no width but is a letter or a mark, such as a Hangul filler or a variation selector. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
const MISPLACED_DOT = /^\.|\.\.|\.$/

/** Whether a text is one plain address at a domain with a dot, without a display name. */
export function isAddress(text: string): boolean {
  return isSendable(text) && text.slice(text.lastIndexOf('@')).includes('.')
}

/** Permits letters of any script (EAI) and one host alone, but no quoted local part, comment, list or invisible character. */
export function isSendable(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || Buffer.byteLength(text) > MAX_ADDRESS_BYTES || Buffer.byteLength(local) > MAX_LOCAL_BYTES) return false
  if (INVISIBLE.test(text) || MISPLACED_DOT.test(local) || MISPLACED_DOT.test(domain)) return false
  if (/[<>()[\]\\,;:@"]/.test(local)) return false
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) && domainToASCII(domain) !== ''
}
