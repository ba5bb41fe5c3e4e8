// Declares the query of paged lists: `limit` and an opaque `cursor`.

import { z } from '@hono/zod-openapi'
import { LIMITS } from '../../contract/limits.ts'

/** `?limit=` 1–100. */
export const limitParam = z
  .string()
  .regex(/^\d{1,3}$/, `A whole number from 1 to ${LIMITS.pageMax}.`)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= LIMITS.pageMax, `From 1 to ${LIMITS.pageMax}.`)
  .optional()
  .transform((limit) => limit ?? LIMITS.pageDefault)
  .openapi({ type: 'integer', minimum: 1, maximum: LIMITS.pageMax, default: LIMITS.pageDefault })

/** `?cursor=`: the `nextCursor` of the page before; `lib/cursor.ts` parses it. */
export const cursorParam = z.string().max(200).optional()

export const pageQuery = z.object({ limit: limitParam, cursor: cursorParam })
