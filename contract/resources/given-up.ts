// Describes a run, job or mail that the server gave up.

import { z } from 'zod'
import { pageOf } from '../schemas.ts'

export const givenUp = z
  .object({
    id: z.string().meta({ description: 'Of the run, the job, or the message of the mail.', example: 'run_…' }),
    kind: z.enum(['run', 'job', 'mail']),
    environmentId: z.string(),
    givenUpAt: z.string(),
    reason: z.string(),
    what: z.string().meta({ description: 'The step of a run or a mail, the kind of a job.' }),
    campaignId: z.string().nullable(),
    campaignKey: z.string().nullable(),
    campaignName: z.string().nullable(),
    userId: z.string().nullable(),
    userName: z.string().nullable(),
  })
  .meta({ id: 'GivenUp' })

export const givenUpPage = pageOf(givenUp).meta({ id: 'GivenUpPage' })

const change = z.object({ id: z.string() })
export const runAgainAnswer = change.meta({ id: 'RunAgain' })
export const dropGivenUpAnswer = change.meta({ id: 'DropGivenUp' })

export type GivenUpAnswer = z.output<typeof givenUp>
export type GivenUpChangeAnswer = z.output<typeof change>
