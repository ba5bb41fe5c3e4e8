// Makes an event's name of any text, the same for server and dashboard.

import { LIMITS } from './limits.ts'

/** Kept apart from the events of the service itself. */
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
