// Checks event names: words of ASCII letters and digits joined by one of ` . _ : / -`. Makes one of any text.

import { LIMITS } from './limits.ts'

/** Events of the service itself begin with this. */
const RESERVED_PREFIX = 'nc.'
/** Letters, digits and signs that no name can have; accents and what ends or divides sentences is no loss. Without them two texts could have one name. */
const LOST = /(?![A-Za-z0-9])[\p{L}\p{N}\p{S}#@%&*§]|^[^A-Za-z]*[0-9]/u

/**
 * Makes a name inside the grammar of event names. What no name can have becomes `-`; where letters, digits or signs are
 * lost, a short hash of the text follows: `C#`, `C` and names of other scripts stay apart.
 * @returns A valid name as it is.
 */
export function toEventName(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '')
  const slug = plain
    .replace(/[^A-Za-z0-9 ._:/-]+/g, '-')
    .replace(/([ ._:/-])[ ._:/-]+/g, '$1')
    .replace(/^[^A-Za-z]+/, '')
    .replace(/[ ._:/-]+$/, '')
  const isCut = slug.length > LIMITS.eventNameChars
  const name = isCut || LOST.test(plain) ? withHash(slug === '' ? 'event' : slug, text) : slug || 'event'
  return name.startsWith(RESERVED_PREFIX) ? name.replace('.', '-') : name
}

function withHash(slug: string, text: string): string {
  const hash = `-${hashOf(text.normalize())}`
  return slug.slice(0, LIMITS.eventNameChars - hash.length).replace(/[ ._:/-]+$/, '') + hash
}

/** @returns 32 bits of FNV-1a in hex: browsers have no hash that answers at once. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

export type EventNameReason =
  | 'missing'
  | 'not-a-string'
  | 'empty'
  | 'too-long'
  | 'invalid-start'
  | 'invalid-end'
  | 'invalid-character'
  | 'repeated-separator'
  | 'reserved-prefix'

/** `position` is a 0-based offset in UTF-16 units, for faults with a place. */
export interface EventNameFault {
  reason: EventNameReason
  position?: number
}

type CharClass = 'letter' | 'digit' | 'separator' | 'forbidden' | 'other'

function classOf(unit: number): CharClass {
  if ((unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)) return 'letter'
  if (unit >= 48 && unit <= 57) return 'digit'
  // space - . / : _
  if (unit === 32 || (unit >= 45 && unit <= 47) || unit === 58 || unit === 95) return 'separator'
  return unit === 0 ? 'forbidden' : 'other'
}

/** Finds the first fault in the documented order; undefined for a valid name. One pass over at most 256 units. */
export function findEventNameFault(name: unknown): EventNameFault | undefined {
  if (name === undefined) return { reason: 'missing' }
  if (typeof name !== 'string') return { reason: 'not-a-string' }
  if (name === '') return { reason: 'empty' }
  if (isTooLong(name)) return { reason: 'too-long' }
  return findEndFault(name) ?? findInnerFault(name)
}

/** Counts characters, not units; a text over twice the limit is not read. */
function isTooLong(name: string): boolean {
  if (name.length <= LIMITS.eventNameChars) return false
  return name.length > 2 * LIMITS.eventNameChars || [...name].length > LIMITS.eventNameChars
}

/** Finds a separator or digit at an end. NUL and lone surrogates are left to the inner check, which refuses them anywhere. */
function findEndFault(name: string): EventNameFault | undefined {
  const first = name.codePointAt(0) as number
  if (classOf(first) !== 'letter' && !isForbidden(first)) return { reason: 'invalid-start', position: 0 }
  const last = [...name.slice(-2)].at(-1) as string
  const lastClass = classOf(last.codePointAt(0) as number)
  if (lastClass !== 'letter' && lastClass !== 'digit' && !isForbidden(last.codePointAt(0) as number)) {
    return { reason: 'invalid-end', position: name.length - last.length }
  }
  return undefined
}

function isForbidden(codePoint: number): boolean {
  return codePoint === 0 || (codePoint >= 0xd800 && codePoint <= 0xdfff)
}

function findInnerFault(name: string): EventNameFault | undefined {
  let repeatedAt = -1
  let before: CharClass = 'letter'
  for (let i = 0; i < name.length; i++) {
    const now = classOf(name.charCodeAt(i))
    if (now === 'other' || now === 'forbidden') return { reason: 'invalid-character', position: i }
    if (now === 'separator' && before === 'separator' && repeatedAt < 0) repeatedAt = i
    before = now
  }
  if (repeatedAt >= 0) return { reason: 'repeated-separator', position: repeatedAt }
  return name.startsWith(RESERVED_PREFIX) ? { reason: 'reserved-prefix', position: 0 } : undefined
}
