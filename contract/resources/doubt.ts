// Describes doubts: what was accepted, and cannot have been meant.

import { z } from 'zod'
import { DOUBT_KINDS, DOUBT_SUBJECTS } from '../doubt.ts'
import { cursorParam, limitParam } from './page.ts'

const instant = z.iso.datetime()

export const doubt = z
  .object({
    id: z.string().meta({ example: 'dbt_…' }),
    kind: z.enum(DOUBT_KINDS),
    subject: z
      .object({ type: z.enum(DOUBT_SUBJECTS), id: z.string() })
      .meta({ description: 'A layout has the id of its notification config, an event its name.' }),
    subjectName: z.string().nullable(),
    message: z.string(),
    count: z.number().int(),
    firstAt: instant,
    lastAt: instant,
    example: z.string().nullable().meta({ description: "A value's path and kind, or a short value; the newest." }),
  })
  .meta({ id: 'Doubt' })
export type DoubtAnswer = z.output<typeof doubt>

export const doubtsQuery = z.object({
  kind: z.enum(DOUBT_KINDS).optional(),
  subjectType: z.enum(DOUBT_SUBJECTS).optional(),
  subjectId: z.string().min(1).max(300).optional(),
  limit: limitParam,
  cursor: cursorParam,
})
