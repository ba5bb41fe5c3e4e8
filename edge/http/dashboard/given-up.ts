// Serves what was given up in an environment: the list, running it again, and removing it.

import { dropGivenUpAnswer, givenUpPage, runAgainAnswer } from '../../../contract/resources/given-up.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { cutPage } from '../../lib/cut-page.ts'
import { changedBy } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

export function addDashboardGivenUpRoutes(http: Http, { manageGivenUp }: Pick<Services, 'manageGivenUp'>): void {
  const common = { tag: 'Dashboard environments', caller: 'environment' } as const
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      path: `${DASHBOARD_PATH}/given-up`,
      summary: 'List the 100 runs, jobs and mails that were given up last, newest first',
      role: 'viewer',
      query: boundedPageQuery,
      answer: { status: 200, schema: givenUpPage },
      errors: [],
    },
    async ({ environment, query }) =>
      cutPage({ list: 'given-up', of: environment.id }, await manageGivenUp.list(environment.id), query),
  )
  addRoute(
    http,
    {
      ...common,
      method: 'post',
      path: `${DASHBOARD_PATH}/given-up/:id/run`,
      summary: 'Run again what was given up, as if it had never been tried',
      role: 'editor',
      answer: { status: 200, schema: runAgainAnswer },
      errors: ['run/not-found', 'message/not-found', 'request/not-found'],
    },
    async (call) => {
      const { id = '' } = call.params as { id?: string }
      await manageGivenUp.runAgain(call.environment.id, id, changedBy(call))
      return { id }
    },
  )
  addRoute(
    http,
    {
      ...common,
      method: 'post',
      path: `${DASHBOARD_PATH}/given-up/:id/drop`,
      summary: 'Remove what was given up from the list for good; the record of what happened stays',
      role: 'editor',
      answer: { status: 200, schema: dropGivenUpAnswer },
      errors: ['run/not-found', 'message/not-found', 'request/not-found'],
    },
    async (call) => {
      const { id = '' } = call.params as { id?: string }
      await manageGivenUp.drop(call.environment.id, id, changedBy(call))
      return { id }
    },
  )
}
