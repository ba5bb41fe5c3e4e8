// Declares the query of paged lists: `limit` and an opaque `cursor`.

import { z } from 'zod'
import { LIMITS } from '../limits.ts'

const givenLimit = z
  .string()
  .regex(/^\d{1,3}$/, `A whole number from 1 to ${LIMITS.pageMax}.`)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= LIMITS.pageMax, `From 1 to ${LIMITS.pageMax}.`)
  .optional()

/** `?limit=` 1–100. */
export const limitParam = givenLimit
  .transform((limit) => limit ?? LIMITS.pageDefault)
  .meta({ type: 'integer', minimum: 1, maximum: LIMITS.pageMax, default: LIMITS.pageDefault })

/** `?cursor=`: the `nextCursor` of the page before; the server alone reads it. */
export const cursorParam = z.string().max(200).optional()

/** `?fresh=`: any text, which the service does not read. Clients give another one each time, so that no cache has the address. */
export const freshParam = z
  .string()
  .max(64)
  .optional()
  .meta({ description: 'Any text: another one each time keeps caches of the client from answering.' })

/** Of lists that are bounded by themselves: without `limit` a page has all of them, up to 1 MiB. */
export const boundedPageQuery = z.object({
  limit: givenLimit.meta({ type: 'integer', minimum: 1, maximum: LIMITS.pageMax, description: 'Default: all.' }),
  cursor: cursorParam,
})

export const pageQuery = z.object({ limit: limitParam, cursor: cursorParam })
export type PageQuery = z.output<typeof pageQuery>
