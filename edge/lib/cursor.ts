// Opaque cursors of lists (contract section 1): base64url of the list's name and an integer place in it.

import { ApiError } from './api-error.ts'

/** The cursor of a place. `list` names the kind of list, so that a cursor of another list is refused. */
export function encodeCursor(list: string, place: number): string {
  return Buffer.from(`${list}:${place}`).toString('base64url')
}

/** The place of a cursor; null without one. Throws `request/invalid-query` for anything that this list did not hand out. */
export function parseCursor(list: string, cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const text = cursor.length <= 100 ? Buffer.from(cursor, 'base64url').toString() : ''
  const digits = text.startsWith(`${list}:`) ? text.slice(list.length + 1) : ''
  const place = Number(digits)
  // The round trip refuses the many other spellings that a lenient decoder takes.
  if (!/^\d{1,16}$/.test(digits) || !Number.isSafeInteger(place) || encodeCursor(list, place) !== cursor) {
    throw new ApiError('request/invalid-query', {
      details: [{ path: 'cursor', message: 'This is not a cursor of this list.' }],
    })
  }
  return place
}
