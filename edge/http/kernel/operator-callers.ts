// Callers of a process that only the operator of the machine starts: who calls is known, and may do everything.

import type { ChangedBy } from '../../domain/audit.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import { refuseClosed } from '../../domain/tenant/closed.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseId } from '../../lib/id.ts'
import type { DashboardCallers, HttpDeps } from './http.ts'
import type { Services } from './services.ts'

/** The command line has no session; routes that need one do not serve it. */
const NOBODY: SignedIn = {
  session: { id: 0, personId: 0, userAgent: '', createdAt: 0, lastUsedAt: 0, expiresAt: 0, organisationId: null },
  person: { id: 0, email: '', name: '' },
  memberships: [],
}

/** Serves the paths of the dashboard alone; keys and sessions of widgets are unknown. */
export function createOperatorCallers({
  environments,
  organisations,
  by,
}: Pick<Services, 'environments' | 'organisations'> & { by: ChangedBy }): Pick<HttpDeps, 'callers' | 'dashboard'> {
  const refuse = () => Promise.reject(new ApiError('auth/unauthenticated'))
  const dashboard: DashboardCallers = {
    person: refuse,
    async member(c) {
      const id = parseId('organisation', c.req.param('org') ?? '')
      const organisation = id === undefined ? undefined : await organisations.find(id)
      if (organisation === undefined) throw new ApiError('request/not-found')
      const membership = {
        organisationId: organisation.id,
        organisationName: '',
        role: 'owner',
        isOnboarded: true,
      } as const
      return { signedIn: NOBODY, membership, operator: by }
    },
    async environment(c, { servesClosed }) {
      const id = parseId('environment', c.req.param('envId') ?? '')
      const environment = id === undefined ? undefined : await environments.find(id)
      if (environment === undefined) throw new ApiError('request/not-found')
      if (!servesClosed) refuseClosed(environment)
      return { environment, secretId: null, operator: by }
    },
  }
  return { callers: { key: refuse, widget: refuse }, dashboard }
}
