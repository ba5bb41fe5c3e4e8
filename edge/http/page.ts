// Pages: `limit` and the opaque `cursor` of every list (contract section 1, "Lists").

import { z } from '@hono/zod-openapi'
import { LIMITS } from '../../contract/limits.ts'
import { ApiError } from '../lib/api-error.ts'

/** `?limit=` 1–100. */
export const limitParam = z
  .string()
  .regex(/^\d{1,3}$/, `A whole number from 1 to ${LIMITS.pageMax}.`)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= LIMITS.pageMax, `From 1 to ${LIMITS.pageMax}.`)
  .optional()
  .transform((limit) => limit ?? LIMITS.pageDefault)
  .openapi({ type: 'integer', minimum: 1, maximum: LIMITS.pageMax, default: LIMITS.pageDefault })

/** `?cursor=`, as `nextCursor` of the page before; give it to `parseCursor`. */
export const cursorParam = z.string().max(200).optional()

export const pageQuery = z.object({ limit: limitParam, cursor: cursorParam })

/** The fields of a page around items of this schema. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() })
}

/** A place in a list (an id, a seq, a version) as an opaque cursor. `list` keeps cursors of one list out of another. */
export function formatCursor(list: string, place: number): string {
  return Buffer.from(`${list}.${place.toString(36)}`).toString('base64url')
}

/** The place, or null without a cursor. Throws `request/invalid-query`. */
export function parseCursor(list: string, cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const [name, digits = '', ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split('.')
  const place = /^[0-9a-z]{1,11}$/.test(digits) ? Number.parseInt(digits, 36) : Number.NaN
  if (name !== list || rest.length > 0 || !Number.isSafeInteger(place)) {
    throw new ApiError('request/invalid-query', {
      details: [{ path: 'cursor', message: 'Not a cursor of this list.' }],
    })
  }
  return place
}

/** A page from one row more than the limit: the cursor names the last row shown. */
export function toPage<T, W>(
  rows: T[],
  limit: number,
  list: string,
  placeOf: (row: T) => number,
  toWire: (row: T) => W,
): { data: W[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { data: shown.map(toWire), nextCursor: more ? formatCursor(list, placeOf(last)) : null }
}
