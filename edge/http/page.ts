// Pages: `limit` and the opaque `cursor` of every list (contract section 1, "Lists").

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

/** `?cursor=`, as `nextCursor` of the page before; `lib/cursor.ts` parses it. */
export const cursorParam = z.string().max(200).optional()

export const pageQuery = z.object({ limit: limitParam, cursor: cursorParam })

/** The fields of a page around items of this schema. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() })
}
