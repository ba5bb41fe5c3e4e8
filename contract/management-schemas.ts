// Describes runs, jobs and mails that the server gave up.

import { z } from 'zod'

/** A run, job or mail that the server gave up. */
export const givenUpAnswer = z
  .object({
    id: z.string().meta({ description: 'Of the run, the job, or the message of the mail.', example: 'run_…' }),
    kind: z.enum(['run', 'job', 'mail']),
    environmentId: z.string(),
    givenUpAt: z.string(),
    reason: z.string(),
    what: z.string().meta({ description: 'The step of a run or a mail, the kind of a job.' }),
    campaignId: z.string().nullable(),
    campaignKey: z.string().nullable(),
    userId: z.string().nullable(),
  })
  .meta({ id: 'GivenUp' })
export type GivenUpAnswer = z.infer<typeof givenUpAnswer>
