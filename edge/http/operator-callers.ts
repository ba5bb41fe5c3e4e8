// Callers of a process that only the operator of the machine starts: who calls is known, and may do everything.

import type { ChangedBy } from '../domain/audit.ts'
import type { Environment } from '../domain/environment.ts'
import { ApiError } from '../lib/api-error.ts'
import { parseId } from '../lib/id.ts'
import type { DashboardCallers } from './dashboard/dashboard-callers.ts'
import type { HttpDeps } from './http.ts'

export interface OperatorCallersDeps {
  findEnvironment(id: number): Promise<Environment | undefined>
  by: ChangedBy
}

/** Serves the paths of the dashboard alone; keys and sessions of widgets are unknown. */
export function createOperatorCallers(deps: OperatorCallersDeps): Pick<HttpDeps, 'callers' | 'dashboard'> {
  const refuse = () => Promise.reject(new ApiError('auth/unauthenticated'))
  const dashboard: DashboardCallers = {
    person: refuse,
    member: refuse,
    async environment(c) {
      const id = parseId('environment', c.req.param('envId') ?? '')
      const environment = id === undefined ? undefined : await deps.findEnvironment(id)
      if (environment === undefined) throw new ApiError('request/not-found')
      return { environment, secretId: null, operator: deps.by }
    },
  }
  return { callers: { key: refuse, widget: refuse }, dashboard }
}
