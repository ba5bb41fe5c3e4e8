// Serves the list of an organisation's environments, between which the dashboard switches.

import { z } from '@hono/zod-openapi'
import type { Environment } from '../../domain/environment.ts'
import { formatId } from '../../lib/id.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'

const environmentSchema = z
  .object({ id: z.string(), name: z.string(), isProduction: z.boolean() })
  .openapi('DashboardEnvironment')

export interface EnvironmentListDeps {
  listEnvironments(organisationId: number): Promise<Environment[]>
}

export function addEnvironmentListRoute(http: Http, { listEnvironments }: EnvironmentListDeps): void {
  addRoute(
    http,
    {
      method: 'get',
      path: '/v1/dashboard/organisations/:org/environments',
      summary: 'List the environments of an organisation',
      tag: 'Dashboard organisations',
      caller: 'member',
      role: 'viewer',
      answer: {
        status: 200,
        schema: z.object({ data: z.array(environmentSchema), nextCursor: z.null() }).openapi('EnvironmentList'),
      },
      errors: [],
    },
    async ({ membership }) => ({
      data: (await listEnvironments(membership.organisationId)).map(({ id, name, isProduction }) => ({
        id: formatId('environment', id),
        name,
        isProduction,
      })),
      nextCursor: null,
    }),
  )
}
