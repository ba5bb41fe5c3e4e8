// Serves what was given up in an environment: the list, and running it again.

import { z } from '@hono/zod-openapi'
import type { ManageGivenUp } from '../../flow/resume/manage-given-up.ts'
import type { Http } from '../http.ts'
import { addRoute, DASHBOARD_PATH } from '../route.ts'

export interface DashboardGivenUpDeps {
  manageGivenUp: Pick<ManageGivenUp, 'list' | 'runAgain'>
}

const givenUpSchema = z
  .object({
    id: z.string().openapi({ description: 'Of the run, the job, or the message of the mail.', example: 'run_…' }),
    kind: z.enum(['run', 'job', 'mail']),
    environmentId: z.string(),
    givenUpAt: z.string(),
    reason: z.string(),
    what: z.string().openapi({ description: 'The step of a run or a mail, the kind of a job.' }),
    campaignId: z.string().nullable(),
    userId: z.string().nullable(),
  })
  .openapi('GivenUp')

export function addDashboardGivenUpRoutes(http: Http, { manageGivenUp }: DashboardGivenUpDeps): void {
  const common = { tag: 'Dashboard environments', caller: 'environment' } as const
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      path: `${DASHBOARD_PATH}/given-up`,
      summary: 'List the 100 runs, jobs and mails that were given up last, newest first',
      role: 'viewer',
      answer: {
        status: 200,
        schema: z.object({ data: z.array(givenUpSchema), nextCursor: z.null() }).openapi('GivenUpList'),
      },
      errors: [],
    },
    async ({ environment }) => ({ data: await manageGivenUp.list(environment.id), nextCursor: null }),
  )
  addRoute(
    http,
    {
      ...common,
      method: 'post',
      path: `${DASHBOARD_PATH}/given-up/:id/run`,
      summary: 'Run again what was given up, as if it had never been tried',
      role: 'editor',
      answer: { status: 200, schema: z.object({ id: z.string() }).openapi('RunAgain') },
      errors: ['run/not-found', 'message/not-found', 'request/not-found'],
    },
    async ({ environment, params }) => {
      const { id = '' } = params as { id?: string }
      await manageGivenUp.runAgain(environment.id, id)
      return { id }
    },
  )
}
