// Identifies callers by the cookie of a dashboard session, and their role in an organisation.

import { includesRole, type Role } from '../../../contract/role.ts'
import type { Environment } from '../../domain/environment.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import type { Membership } from '../../domain/people/person.ts'
import { refuseClosed } from '../../domain/tenant/closed.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseId } from '../../lib/id.ts'
import type { RequestContext } from '../kernel/context.ts'
import type { DashboardCallers, Needs } from '../kernel/http.ts'
import type { Services } from '../kernel/services.ts'
import { requireOwnOrigin } from './own-origin.ts'

export function createDashboardCallers({
  sessionCookie,
  personSessions,
  environments,
  publicUrl,
}: Pick<Services, 'sessionCookie' | 'personSessions' | 'environments' | 'publicUrl'>): DashboardCallers {
  async function person(c: RequestContext, { writes }: Pick<Needs, 'writes'>) {
    const signedIn = await personSessions.get(sessionCookie.read(c))
    if (writes) requireOwnOrigin(c, publicUrl)
    return { signedIn }
  }
  return {
    person,
    async member(c, needs) {
      const { signedIn } = await person(c, needs)
      const id = parseId('organisation', c.req.param('org') ?? '')
      const membership = requireMembership(signedIn, id)
      requireRole(membership, needs.role)
      return { signedIn, membership }
    },
    async environment(c, needs) {
      const { signedIn } = await person(c, needs)
      const id = parseId('environment', c.req.param('envId') ?? '')
      const environment = id === undefined ? undefined : await environments.find(id)
      const membership = requireMembership(signedIn, environment?.organisationId)
      if (!membership.isOnboarded) throw new ApiError('auth/onboarding-not-completed')
      requireRole(membership, needs.role)
      // The cast is safe: without an environment there is no membership of its organisation.
      if (!needs.servesClosed) refuseClosed(environment as Environment)
      const { role } = membership
      return { environment: environment as Environment, secretId: null, person: signedIn.person, role }
    },
  }
}

/**
 * The order of refusals is that of docs/dashboard.md#refusals.
 * @throws ApiError the same for an unknown organisation as for one without a role.
 */
function requireMembership({ memberships }: SignedIn, organisationId: number | undefined): Membership {
  const membership = memberships.find((one) => one.organisationId === organisationId)
  if (membership === undefined) throw new ApiError('authorization/organisation-not-authorized-for-this-user')
  return membership
}

/** @throws ApiError `authorization/not-allowed`. */
function requireRole(membership: Membership, role: Role): void {
  if (includesRole(membership.role, role)) return
  throw new ApiError('authorization/not-allowed', { message: `This needs the role ${role}.`, reason: 'role' })
}
