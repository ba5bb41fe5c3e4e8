// Opaque cursors of lists (contract section 1): base64url of a list's name, an integer place in it, and a mark of whose list it was.

import { createHash } from 'node:crypto'
import { ApiError } from './api-error.ts'

/** One list of one tenant: a cursor of any other is refused, though it would show nothing foreign. */
export interface ListName {
  /** The kind of list. */
  list: string
  /** The environment, user or record that it belongs to, by its number. */
  of: number
}

const MARK_CHARS = 12

/** The cursor of a place. */
export function encodeCursor(name: ListName, place: number): string {
  return Buffer.from(`${name.list}:${place}:${markOf(name, place)}`).toString('base64url')
}

/** The place of a cursor; null without one. Throws `request/invalid-query` for anything that this list did not hand out. */
export function parseCursor(name: ListName, cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const text = cursor.length <= 120 ? Buffer.from(cursor, 'base64url').toString() : ''
  const digits = text.startsWith(`${name.list}:`) ? (text.slice(name.list.length + 1).split(':', 1)[0] ?? '') : ''
  const place = Number(digits)
  // The round trip compares the mark, and refuses the many other spellings that a lenient decoder takes.
  if (!/^\d{1,16}$/.test(digits) || !Number.isSafeInteger(place) || encodeCursor(name, place) !== cursor) {
    throw new ApiError('request/invalid-query', {
      details: [{ path: 'cursor', message: 'This is not a cursor of this list.' }],
    })
  }
  return place
}

/** Tells lists apart without naming their owner. No seal: whoever forges one reaches another place of their own list. */
function markOf({ list, of }: ListName, place: number): string {
  return createHash('sha256').update(`${list}:${of}:${place}`).digest('base64url').slice(0, MARK_CHARS)
}
