// Describes what a trial of a draft did that cannot have been meant: of a live run it would be a doubt.

import { z } from 'zod'
import { DOUBT_KINDS } from '../doubt.ts'

/** Without it, the answer of a preview has what the message has, and nothing else. */
export const doubtsQuery = z.object({ doubts: z.enum(['true', 'false']).default('false') })

export const triedDoubts = z
  .array(
    z
      .object({ kind: z.enum(DOUBT_KINDS), message: z.string(), example: z.string().nullable() })
      .meta({ id: 'TriedDoubt' }),
  )
  .optional()
  .meta({
    description:
      'What cannot have been meant, such as an unknown variable; only where `?doubts=true` asks for it, absent when that is nothing.',
  })

export type TriedDoubts = z.output<typeof triedDoubts>
