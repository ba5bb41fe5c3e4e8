// Parses event names: words of ASCII letters and digits joined by one of ` . _ : / -`.

import { LIMITS } from '../../../contract/limits.ts'
import { ApiError } from '../../lib/api-error.ts'

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

/** Events of the service itself begin with this. */
export const RESERVED_PREFIX = 'nc.'

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

/** Returns the name. @throws `event/invalid-name` with `reason` and, where there is one, `position` */
export function parseEventName(name: unknown): string {
  const fault = findEventNameFault(name)
  if (fault !== undefined) throw new ApiError('event/invalid-name', { ...fault })
  return name as string
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
