// Checks addresses of mail, and gives them the forms in which they are sent and compared.

import { domainToASCII, domainToUnicode } from 'node:url'

/** RFC 5321, without angle brackets. */
const MAX_ADDRESS_BYTES = 254
const MAX_LOCAL_BYTES = 64
/** Includes what has no width but is a letter or a mark, such as a Hangul filler or a variation selector. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
const MISPLACED_DOT = /^\.|\.\.|\.$/
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u
/** A label of DNS (RFC 1035): no server is asked for another one. */
const LABEL = /^(?!-)[^.]{1,63}(?<!-)$/
/** A label that stands for no letters: Node.js 24 leaves it, earlier ones return no domain. */
const UNDECODED = /(?:^|\.)xn--/i

/** Whether a text is one plain address at a domain with a dot, without a display name. An IP address is no domain. */
export function isAddress(text: string): boolean {
  return isSendable(text) && /\.[^.]*[^.\d][^.]*$/.test(text.slice(text.lastIndexOf('@')))
}

/** @returns whether a text of a profile is an address that no mail goes to; an empty one is none at all, and is not odd */
export function isOddAddress(text: string): boolean {
  const address = text.trim()
  return address !== '' && !isAddress(address)
}

/** Permits letters of any script (EAI) and one host alone, but no quoted local part, comment, list or invisible character. */
export function isSendable(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || Buffer.byteLength(text) > MAX_ADDRESS_BYTES || Buffer.byteLength(local) > MAX_LOCAL_BYTES) return false
  if (INVISIBLE.test(text) || MISPLACED_DOT.test(local) || MISPLACED_DOT.test(domain)) return false
  if (/[<>()[\]\\,;:@"]/.test(local)) return false
  if (!DOMAIN.test(domain) || domainToASCII(domain) === '' || UNDECODED.test(domainToUnicode(domain))) return false
  return asciiDomain(domain)
    .split('.')
    .every((label) => LABEL.test(label))
}

/** @returns the domain in the one spelling that DNS has: ASCII, in lower case; other texts in lower case */
export function asciiDomain(domain: string): string {
  const ascii = isAscii(domain) || !DOMAIN.test(domain) ? '' : domainToASCII(domain)
  return ascii === '' ? domain.toLowerCase() : ascii
}

/** @returns the address as it is sent: its domain in ASCII, the rest as it is */
export function withAsciiDomain(address: string): string {
  const { local, domain } = splitAddress(address)
  return `${local}@${asciiDomain(domain)}`
}

/**
 * The spellings of an address that are one subject. The first is the one to store and compare: without case, as mail
 * providers compare, with composed letters (RFC 6532) and its domain in ASCII. The others are those that were stored
 * formerly.
 */
export function spellingsOf(address: string): [compared: string, ...formerly: string[]] {
  const plain = address.trim().toLowerCase()
  if (!plain.includes('@')) return [plain]
  const { local: written, domain } = splitAddress(plain)
  const local = written.normalize('NFC')
  const ascii = asciiDomain(domain)
  const compared = `${local}@${ascii}`
  const isPlain = isAscii(domain) && !ascii.includes('xn--')
  const ofDomain = isPlain ? [] : [`${written}@${domainToUnicode(ascii)}`, `${written}@${domain}`]
  const formerly = new Set([`${written}@${ascii}`, ...ofDomain])
  return [compared, ...[...formerly].filter((one) => one !== compared)]
}

/** Whether only servers with SMTPUTF8 take the address: no domain needs it, as each has a form in ASCII. */
export function needsUtf8(address: string): boolean {
  return !isAscii(splitAddress(address).local)
}

function splitAddress(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, at), domain: address.slice(at + 1) }
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)
