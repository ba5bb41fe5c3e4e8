// Encodes opaque cursors of lists: base64url of the name of a list, an integer position, and a mark of its owner.

import { createHash } from 'node:crypto'
import { ApiError } from './api-error.ts'

/** A list of one tenant; the cursor of another list is refused, although it would reveal nothing. */
export interface ListName {
  /** The kind of list. */
  list: string
  /** Number of the environment, user or record that owns the list. */
  of: number
}

const MARK_CHARS = 12

/** @returns The cursor of a position. */
export function encodeCursor(name: ListName, position: number): string {
  return Buffer.from(`${name.list}:${position}:${markOf(name, position)}`).toString('base64url')
}

/** @returns The position of a cursor; null without one. @throws ApiError `request/invalid-query` for a cursor of another list. */
export function parseCursor(name: ListName, cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const text = cursor.length <= 120 ? Buffer.from(cursor, 'base64url').toString() : ''
  const digits = text.startsWith(`${name.list}:`) ? (text.slice(name.list.length + 1).split(':', 1)[0] ?? '') : ''
  const position = Number(digits)
  // The round trip compares the mark, and refuses other spellings that a lenient decoder accepts.
  if (!/^\d{1,16}$/.test(digits) || !Number.isSafeInteger(position) || encodeCursor(name, position) !== cursor) {
    throw new ApiError('request/invalid-query', {
      details: [{ path: 'cursor', message: 'This is not a cursor of this list.' }],
    })
  }
  return position
}

/** Distinguishes lists without naming their owner. Not signed: a forged cursor reaches another position of the caller's own list. */
function markOf({ list, of }: ListName, position: number): string {
  return createHash('sha256').update(`${list}:${of}:${position}`).digest('base64url').slice(0, MARK_CHARS)
}
